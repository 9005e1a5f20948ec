// SPDX-License-Identifier: Apache-2.0
// A headless Chromium by its debugging pipe, without packages:
//   node browser.mjs URL [--size 1200x800] [--dark] [--eval EXPRESSION] [--screenshot FILE]
// Waits for the page's `window.ready` promise if it has one, prints the value of EXPRESSION as JSON,
// and fails if the page logged an error or asked for anything over the network.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const flags = process.argv.slice(3);
const flag = (name, usual) => {
  const at = flags.indexOf("--" + name);
  return at < 0 ? usual : flags[at + 1];
};
const url = process.argv[2];
const [width, height] = flag("size", "1200x800").split("x").map(Number);
const profile = mkdtempSync(join(tmpdir(), "browser-"));
const browser = spawn(process.env.CHROMIUM || "chromium", [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
  "--hide-scrollbars", `--window-size=${width},${height}`, `--user-data-dir=${profile}`,
  "--remote-debugging-pipe", "about:blank"
], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });

let nextId = 1;
const waiting = new Map();
const problems = [];
let session;
let received = "";
browser.stdio[4].on("data", (chunk) => {
  received += chunk;
  const messages = received.split("\0");
  received = messages.pop();
  for (const text of messages) handle(JSON.parse(text));
});

function handle(message) {
  if (message.id) {
    const { resolve, reject } = waiting.get(message.id);
    waiting.delete(message.id);
    return message.error ? reject(new Error(message.error.message)) : resolve(message.result);
  }
  if (message.method === "Runtime.exceptionThrown") {
    const details = message.params.exceptionDetails;
    problems.push(details.exception?.description || details.text);
  }
  if (message.method === "Network.requestWillBeSent") {
    const asked = message.params.request.url;
    if (/^(https?|wss?|ftp):/.test(asked) && !asked.startsWith(url.split("#")[0])) {
      problems.push("asked for " + asked);
    }
  }
  return undefined;
}

function send(method, params = {}) {
  const id = nextId++;
  browser.stdio[3].write(JSON.stringify({ id, method, params, sessionId: session }) + "\0");
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

async function evaluate(expression) {
  const answer = await send("Runtime.evaluate",
                            { expression, awaitPromise: true, returnByValue: true });
  if (answer.exceptionDetails) {
    throw new Error(answer.exceptionDetails.exception?.description || answer.exceptionDetails.text);
  }
  return answer.result.value;
}

async function main() {
  const { targetId } = await send("Target.createTarget", { url: "about:blank" });
  session = (await send("Target.attachToTarget", { targetId, flatten: true })).sessionId;
  for (const domain of ["Page", "Runtime", "Network"]) await send(domain + ".enable");
  await send("Emulation.setDeviceMetricsOverride",
             { width, height, deviceScaleFactor: 1, mobile: false });
  await send("Emulation.setEmulatedMedia", { features: [
    { name: "prefers-color-scheme", value: flags.includes("--dark") ? "dark" : "light" }] });
  await send("Page.navigate", { url });
  await evaluate(`new Promise((done) => document.readyState === "complete" ? done()
    : addEventListener("load", done))`);
  await evaluate("window.ready || null");
  if (flag("eval")) console.log(JSON.stringify(await evaluate(flag("eval"))));
  if (flag("screenshot")) {
    await new Promise((done) => setTimeout(done, 400));
    const { data } = await send("Page.captureScreenshot", { format: "png" });
    writeFileSync(flag("screenshot"), Buffer.from(data, "base64"));
  }
}

const timer = setTimeout(() => finish(new Error("no answer within 120 s")), 120000);
function finish(error) {
  clearTimeout(timer);
  browser.kill("SIGKILL");
  browser.once("exit", () => {
    rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    if (error) problems.push(error.message);
    for (const problem of problems) console.error(problem);
    process.exit(problems.length > 0 ? 1 : 0);
  });
}
main().then(() => finish(), finish);
