//! The whole document: head, header, page, footer.
