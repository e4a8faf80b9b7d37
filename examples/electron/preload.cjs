// The preload script: what the page may ask for, and hashing with the native module in the page's own process.
const { contextBridge, ipcRenderer, webUtils } = require('electron');
const { backend, inspect } = require('sha1dc');

function inPreload(bytes) {
  const { digest, collision } = inspect(bytes);
  return { digest, attack: collision, by: `${backend.kind}, ${backend.name}` };
}

contextBridge.exposeInMainWorld('hashing', {
  inPreload,
  inMain: (path) => ipcRenderer.invoke('hash-file', path),
  inWorkers: (path) => ipcRenderer.invoke('hash-file-in-workers', path),
  pathOf: (file) => webUtils.getPathForFile(file),
  fileToCheck: () => ipcRenderer.invoke('file-to-check'),
  checked: (results) => ipcRenderer.invoke('checked', results),
});
