// The main process: hashes files with the native module, off its thread, and serves the page.
const { readFile } = require('node:fs/promises');
const path = require('node:path');
const { Worker } = require('node:worker_threads');

const { app, BrowserWindow, ipcMain, protocol } = require('electron');
const { backend, sha1File } = require('sha1dc');

const { answer } = require('./serve.cjs');

/** `--check=FILE`: examine that file, print what each process said as JSON, and end. run.cjs uses it. */
const fileToCheck = process.argv.find((argument) => argument.startsWith('--check='))?.slice('--check='.length);

/** Hashes a file of any size in the background. */
async function hashFile(file) {
  const by = `${backend.kind}, ${backend.name}`;
  try {
    return { digest: await sha1File(file), attack: false, by };
  } catch (error) {
    if (error.code !== 'ERR_SHA1_COLLISION') throw error;
    return { digest: error.digest, attack: true, by };
  }
}

/** The same in a worker thread, which loads the native module a second time. */
function inWorker(file) {
  return new Promise((resolve, reject) => {
    new Worker(path.join(__dirname, 'worker.cjs'), { workerData: file }).once('message', resolve).once('error', reject);
  });
}

ipcMain.handle('hash-file', (_event, file) => hashFile(file));
ipcMain.handle('hash-file-in-workers', (_event, file) => Promise.all([inWorker(file), inWorker(file)]));
ipcMain.handle('file-to-check', async () => fileToCheck && { path: fileToCheck, bytes: await readFile(fileToCheck) });
ipcMain.handle('checked', (_event, results) => {
  console.log(`checked ${JSON.stringify(results)}`);
  app.exit(0);
});

// A scheme of its own gives the page an origin, and with it modules and a content security policy.
protocol.registerSchemesAsPrivileged([
  { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } },
]);

app.whenReady().then(async () => {
  protocol.handle('app', (request) => answer(request.url));
  const window = new BrowserWindow({
    width: 900,
    height: 620,
    show: !fileToCheck,
    // A preload script with a sandbox can load nothing but Electron; leave it out if you hash in main only.
    webPreferences: { preload: path.join(__dirname, 'preload.cjs'), contextIsolation: true, sandbox: false },
  });
  if (fileToCheck) {
    window.webContents.on('preload-error', (_event, file, error) => console.error(file, error));
  }
  await window.loadURL('app://page/index.html');
});

app.on('window-all-closed', () => app.quit());
