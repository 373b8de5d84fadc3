//! The release binary as a process of its own.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
    pub(crate) pinned: bool,
}

impl Server {
    pub(crate) fn start(database: &Path) -> Self {
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let binary = env!("CARGO_BIN_EXE_paretoscope");
        let pinned = Command::new("taskset").arg("-V").stdout(Stdio::null()).status().is_ok_and(|s| s.success());
        let mut command = if pinned {
            let mut command = Command::new("taskset");
            command.args(["-c", "0", binary]);
            command
        } else {
            Command::new(binary)
        };
        command
            .args(["serve", "--listen", &address.to_string()])
            .args(["--database-url", &format!("sqlite://{}", database.display())])
            .stdout(Stdio::null());
        let child = command.spawn().unwrap();
        let started = Instant::now();
        while TcpStream::connect(address).is_err() {
            assert!(started.elapsed() < Duration::from_secs(60), "the server does not answer");
            std::thread::sleep(Duration::from_millis(2));
        }
        Self { child, address, pinned }
    }

    /// Resident memory in bytes.
    pub(crate) fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let kib: u64 = status
            .lines()
            .find_map(|l| l.strip_prefix("VmRSS:"))
            .and_then(|l| l.trim().trim_end_matches("kB").trim().parse().ok())
            .unwrap_or(0);
        kib * 1024
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
