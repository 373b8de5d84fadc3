//! `paretoscope serve`

use std::net::SocketAddr;

use tokio::net::TcpListener;

use super::{CliError, Context, Ended, print, sample};
use crate::app::App;
use crate::router::router;

/// Serves until it is told to stop (SIGINT, SIGTERM).
#[derive(Debug, clap::Args)]
pub struct Serve {
    /// Address to listen on
    #[arg(long, env = "PARETOSCOPE_LISTEN", default_value = "127.0.0.1:3000", value_name = "HOST:PORT")]
    listen: SocketAddr,
    /// Load the bundled sample first if the database is empty
    #[arg(long)]
    sample_if_empty: bool,
}

impl Serve {
    /// Runs it.
    ///
    /// # Errors
    /// When the database or the address can't be used.
    pub async fn run(self, context: &Context) -> Result<Ended, CliError> {
        let store = context.store().await?;
        if self.sample_if_empty && store.is_empty().await? {
            print("The database is empty: loading the bundled sample.\n");
            sample::load(&store, &context.words.vocabulary).await?;
        }
        let app = App::new(store, context.words.clone(), &context.settings.public_url, &context.settings.repo).await?;
        let listener = TcpListener::bind(self.listen)
            .await
            .map_err(|e| format!("can't listen on {}: {e}. Is another server there? --listen takes another address", self.listen))?;
        print(&format!("Paretoscope is at http://{}\n", listener.local_addr()?));
        axum::serve(listener, router(app)).with_graceful_shutdown(stop_signal()).await?;
        Ok(Ended::Well)
    }
}

async fn stop_signal() {
    let interrupt = tokio::signal::ctrl_c();
    let Ok(mut terminate) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) else {
        let _ = interrupt.await;
        return;
    };
    tokio::select! {
        _ = interrupt => {}
        _ = terminate.recv() => {}
    }
}
