// Starts a real browser on an address. Each launcher gives `{ close, gone }`; `gone` resolves if the browser dies.
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

function onPath(names) {
  for (const name of names) {
    if (name.includes('/') || name.includes('\\')) {
      if (existsSync(name)) return name;
      continue;
    }
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      const path = join(folder, name);
      try {
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        // Not there; the next folder may have it.
      }
    }
  }
  return undefined;
}

const MAC = '/Applications';
const PROGRAMS = [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA].filter(Boolean);

export function findChromium() {
  if (process.env.CHROME_BIN) return onPath([process.env.CHROME_BIN]);
  return onPath([
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
    'chrome',
    `${MAC}/Google Chrome.app/Contents/MacOS/Google Chrome`,
    `${MAC}/Chromium.app/Contents/MacOS/Chromium`,
    ...PROGRAMS.map((folder) => join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe')),
  ]);
}

export function findFirefox() {
  if (process.env.FIREFOX_BIN) return onPath([process.env.FIREFOX_BIN]);
  return onPath([
    'firefox',
    'firefox-esr',
    `${MAC}/Firefox.app/Contents/MacOS/firefox`,
    ...PROGRAMS.map((folder) => join(folder, 'Mozilla Firefox', 'firefox.exe')),
  ]);
}

const root = typeof process.getuid === 'function' && process.getuid() === 0;

async function puppeteer(options, url) {
  const { default: driver } = await import('puppeteer-core');
  const browser = await driver.launch({ headless: true, protocolTimeout: 0, ...options });
  try {
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.log(`page error: ${error}`));
    page.on('console', (message) => {
      if (message.type() === 'error') console.log(`page console: ${message.text()}`);
    });
    const gone = new Promise((resolve) => {
      browser.on('disconnected', () => resolve('the browser went away'));
      page.on('error', (error) => resolve(`the page crashed: ${error.message}`));
    });
    await page.goto(url);
    return { gone, page, close: () => browser.close() };
  } catch (error) {
    await browser.close();
    throw error;
  }
}

export function launchChromium(url) {
  return puppeteer(
    {
      executablePath: findChromium(),
      args: [
        ...(root ? ['--no-sandbox'] : []),
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-default-apps',
        '--disable-dev-shm-usage',
        '--disable-gpu',
        '--disable-sync',
        '--disable-background-timer-throttling',
        '--metrics-recording-only',
        '--no-first-run',
      ],
    },
    url,
  );
}

export function launchFirefox(url) {
  return puppeteer(
    {
      browser: 'firefox',
      executablePath: findFirefox(),
      extraPrefsFirefox: {
        'app.normandy.enabled': false,
        'app.update.enabled': false,
        'browser.safebrowsing.downloads.enabled': false,
        'browser.safebrowsing.malware.enabled': false,
        'browser.safebrowsing.phishing.enabled': false,
        'datareporting.policy.dataSubmissionEnabled': false,
        'network.captive-portal-service.enabled': false,
        'network.connectivity-service.enabled': false,
        'services.settings.server': '',
        'toolkit.telemetry.enabled': false,
      },
    },
    url,
  );
}

const MINI_BROWSERS = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].flatMap((triple) =>
  ['4.1', '4.0', '6.0'].map((version) => `/usr/lib/${triple}/webkit2gtk-${version}/MiniBrowser`),
);

export function findWebKit() {
  const driver = onPath([process.env.WEBKIT_DRIVER ?? 'WebKitWebDriver']);
  const browser = process.env.WEBKIT_BROWSER ?? MINI_BROWSERS.find((path) => existsSync(path));
  return driver && browser && (process.env.DISPLAY || onPath(['Xvfb'])) ? { driver, browser } : undefined;
}

async function until(what, attempt) {
  for (let tries = 0; tries < 100; tries++) {
    try {
      return await attempt();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error(`${what} did not answer within 10 s`);
}

/** WebKitGTK through its own WebDriver, spoken to directly: three requests need no library. */
export async function launchWebKit(url) {
  const { driver, browser } = findWebKit();
  const folder = mkdtempSync(join(tmpdir(), 'sha1dc-webkit-'));
  const children = [];
  const start = (command, args, env) => {
    const child = spawn(command, args, { env, stdio: 'ignore' });
    children.push(child);
    return child;
  };
  const display = process.env.DISPLAY ?? `:${90 + (process.pid % 900)}`;
  if (!process.env.DISPLAY) start('Xvfb', [display, '-screen', '0', '800x600x24', '-nolisten', 'tcp'], process.env);
  const port = 20000 + (process.pid % 20000);
  const child = start(driver, [`--port=${port}`], {
    ...process.env,
    DISPLAY: display,
    HOME: folder,
    LIBGL_ALWAYS_SOFTWARE: '1',
    ...(root ? { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' } : {}),
  });
  const gone = new Promise((resolve) => child.on('exit', () => resolve('the WebKit driver went away')));
  const send = async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, body: body && JSON.stringify(body) });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`WebDriver ${path}: ${value?.message ?? response.status}`);
    return value;
  };
  let session;
  const close = async () => {
    if (session) await send('DELETE', `/session/${session}`).catch(() => {});
    for (const process_ of children.reverse()) process_.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await until('WebKitWebDriver', () => send('GET', '/status'));
    const capabilities = {
      alwaysMatch: {
        browserName: 'MiniBrowser',
        'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] },
      },
    };
    ({ sessionId: session } = await until('MiniBrowser', () => send('POST', '/session', { capabilities })));
    await send('POST', `/session/${session}/url`, { url });
    return { gone, close };
  } catch (error) {
    await close();
    throw error;
  }
}
