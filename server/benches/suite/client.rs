//! Load on loopback: keep-alive connections, a thread each, bounded in time.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Which addresses a load asks for.
pub(crate) enum Load {
    /// One, again and again.
    Same(String),
    /// This with a new number at its end each time, so that no answer is kept.
    Counted(String),
}

static NUMBER: AtomicU64 = AtomicU64::new(0);

impl Load {
    fn request(&self) -> Vec<u8> {
        let path = match self {
            Self::Same(path) => path.clone(),
            Self::Counted(path) => format!("{path}{}", NUMBER.fetch_add(1, Ordering::Relaxed)),
        };
        request(&path)
    }
}

fn request(path: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nhost: bench\r\naccept-encoding: br\r\n\r\n").into_bytes()
}

struct Connection {
    stream: BufReader<TcpStream>,
    body: Vec<u8>,
}

impl Connection {
    fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        Self { stream: BufReader::with_capacity(256 << 10, stream), body: Vec::new() }
    }

    /// Sends one request and reads its answer to the end; gives the body's size.
    fn call(&mut self, request: &[u8]) -> usize {
        self.stream.get_mut().write_all(request).unwrap();
        let (mut line, mut length, mut first) = (String::new(), 0, true);
        loop {
            line.clear();
            self.stream.read_line(&mut line).unwrap();
            if first {
                assert!(line.starts_with("HTTP/1.1 200"), "{line}");
                first = false;
            }
            if line == "\r\n" {
                break;
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().unwrap();
            }
        }
        self.body.resize(length, 0);
        self.stream.read_exact(&mut self.body).unwrap();
        length
    }
}

/// One request on a connection of its own.
pub(crate) fn once(address: SocketAddr, path: &str) -> Duration {
    let mut connection = Connection::open(address);
    let started = Instant::now();
    connection.call(&request(path));
    started.elapsed()
}

/// Bytes of an answer's body as it travels.
pub(crate) fn body_size(address: SocketAddr, path: &str) -> usize {
    Connection::open(address).call(&request(path))
}

/// What a closed loop measured.
pub(crate) struct Measured {
    pub(crate) times: Vec<Duration>,
    took: Duration,
}

impl Measured {
    pub(crate) fn per_second(&self) -> f64 {
        self.times.len() as f64 / self.took.as_secs_f64()
    }
}

/// Each connection asks again as soon as it has its answer.
pub(crate) fn closed_loop(address: SocketAddr, load: &Load, connections: usize, length: Duration) -> Measured {
    let started = Instant::now();
    let mut times: Vec<Duration> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..connections)
            .map(|_| {
                scope.spawn(|| {
                    let (mut connection, mut times) = (Connection::open(address), Vec::new());
                    while started.elapsed() < length {
                        let request = load.request();
                        let t = Instant::now();
                        connection.call(&request);
                        times.push(t.elapsed());
                    }
                    times
                })
            })
            .collect();
        workers.into_iter().flat_map(|w| w.join().unwrap()).collect()
    });
    times.sort();
    Measured { times, took: started.elapsed() }
}

/// A steady rate, well below what the server can do; a late answer delays none of the others' starts.
pub(crate) fn open_loop(address: SocketAddr, load: &Load, per_second: u32, length: Duration) -> Vec<Duration> {
    const CONNECTIONS: u32 = 4;
    let gap = Duration::from_secs(1) * CONNECTIONS / per_second;
    let mut times: Vec<Duration> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..CONNECTIONS)
            .map(|_| {
                scope.spawn(|| {
                    let (mut connection, mut times) = (Connection::open(address), Vec::new());
                    let started = Instant::now();
                    let mut due = Duration::ZERO;
                    while due < length {
                        if let Some(wait) = due.checked_sub(started.elapsed()) {
                            std::thread::sleep(wait);
                        }
                        let t = Instant::now();
                        connection.call(&load.request());
                        times.push(t.elapsed());
                        due += gap;
                    }
                    times
                })
            })
            .collect();
        workers.into_iter().flat_map(|w| w.join().unwrap()).collect()
    });
    times.sort();
    times
}

/// A percentile of sorted times.
pub(crate) fn percentile(sorted: &[Duration], p: f64) -> Duration {
    let last = sorted.len().saturating_sub(1);
    sorted.get((last as f64 * p).round() as usize).copied().unwrap_or_default()
}
