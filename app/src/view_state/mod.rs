//! State of each page's view, read from and written to its address.
