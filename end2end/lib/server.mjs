// The real binary on a free port with a database of its own, and its command line on
// that same database.
//
//   const server = await startServer();            // empty database
//   const server = await startServer({ sample: true });
//   await server.cli("ingest", folder);            // { status, stdout, stderr }
//   await server.stop();
//
// PARETOSCOPE_BIN names another binary, such as target/release/paretoscope.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const READY_MS = 60_000;
const STOP_MS = 10_000;
const COMMAND_MS = 120_000;
// What the developer's own shell may hold must not reach the tests.
const OWN_SETTINGS = /^(PARETOSCOPE_|GITHUB_TOKEN$|RUST_LOG$)/;

/**
 * Starts the binary and waits until it answers on /readyz.
 *
 * @param {object} [options]
 * @param {boolean} [options.sample] load the bundled sample before serving
 * @param {string} [options.databaseUrl] another database than a new SQLite file
 * @param {Record<string, string>} [options.env] more settings
 */
export async function startServer({ sample = false, databaseUrl, env = {} } = {}) {
  const binary = await findBinary();
  const folder = await mkdtemp(join(tmpdir(), "paretoscope-end2end-"));
  const port = await freePort();
  const settings = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !OWN_SETTINGS.test(name))),
    PARETOSCOPE_DATABASE_URL: databaseUrl ?? `sqlite://${join(folder, "test.db")}`,
    PARETOSCOPE_LISTEN: `127.0.0.1:${port}`,
    // Nothing listens there: a test that would reach for GitHub fails at once.
    PARETOSCOPE_GITHUB_API: "http://127.0.0.1:9",
    NO_COLOR: "1",
    ...env,
  };
  const cli = (...args) => run(binary, args, { cwd: folder, env: settings });
  const removeFolder = () => rm(folder, { recursive: true, force: true });

  let server;
  try {
    await expectSuccess(cli, "migrate");
    if (sample) await expectSuccess(cli, "sample");
    server = await serve(binary, { cwd: folder, env: settings, port });
  } catch (error) {
    await removeFolder();
    throw error;
  }

  return {
    url: `http://127.0.0.1:${port}`,
    folder,
    /** Runs a sub-command on the server's database; never throws for an exit status. */
    cli,
    /** Everything that the server has printed so far. */
    log: server.log,
    async stop() {
      try {
        await server.stop();
      } finally {
        await removeFolder();
      }
    },
  };
}

async function findBinary() {
  const binary = resolve(ROOT, process.env.PARETOSCOPE_BIN ?? "target/debug/paretoscope");
  await access(binary).catch(() => {
    throw new Error(`${binary} is not there: run \`make test\`, or set PARETOSCOPE_BIN`);
  });
  return binary;
}

async function freePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address();
  probe.close();
  await once(probe, "close");
  return port;
}

function run(binary, args, options) {
  return new Promise((settle) => {
    const limits = { timeout: COMMAND_MS, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(binary, args, { ...options, ...limits }, (error, stdout, stderr) => {
      settle({ status: error ? (child.exitCode ?? -1) : 0, stdout, stderr });
    });
    child.stdin.end();
  });
}

async function expectSuccess(cli, ...args) {
  const { status, stdout, stderr } = await cli(...args);
  if (status !== 0) throw new Error(`paretoscope ${args.join(" ")} exited with ${status}:\n${stdout}${stderr}`);
}

async function serve(binary, { cwd, env, port }) {
  const child = spawn(binary, ["serve"], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  // A test file that ends early takes its server with it.
  const killAtExit = () => child.kill("SIGKILL");
  process.once("exit", killAtExit);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => (output += text));
  }
  const exited = new Promise((settle) => {
    child.once("error", (error) => settle(String(error)));
    child.once("exit", (code, signal) => settle(signal ?? `status ${code}`));
  });

  const stop = async () => {
    child.kill("SIGTERM");
    const inTime = await Promise.race([exited.then(() => true), sleep(STOP_MS, false, { ref: false })]);
    if (!inTime) {
      child.kill("SIGKILL");
      await exited;
      throw new Error(`the server did not stop within ${STOP_MS / 1000} s of SIGTERM:\n${output}`);
    }
  };

  let ended;
  exited.then((how) => {
    ended = how;
    process.off("exit", killAtExit);
  });
  const deadline = Date.now() + READY_MS;
  while (!(await answers(`http://127.0.0.1:${port}/readyz`))) {
    if (ended !== undefined) throw new Error(`the server ended (${ended}) before it was ready:\n${output}`);
    if (Date.now() > deadline) {
      await stop();
      throw new Error(`the server was not ready within ${READY_MS / 1000} s:\n${output}`);
    }
    await sleep(50);
  }
  return { stop, log: () => output };
}

async function answers(url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
