// The suites that need Node itself.
import cli from './cli.mjs';
import load from './load.mjs';
import memory from './memory.mjs';
import register from './register.mjs';
import stream from './stream.mjs';

export const nodeSuites = [
  ['stream', stream],
  ['cli', cli],
  ['register (Node)', register],
  ['load', load],
  ['memory (Node)', memory],
];
