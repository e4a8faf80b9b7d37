// The suites that run everywhere. suite/files.mjs needs files besides, and those of suite/node/ need Node itself.
import async from './async.mjs';
import batches from './batches.mjs';
import collisions from './collisions.mjs';
import entries from './entries.mjs';
import errors from './errors.mjs';
import git from './git.mjs';
import hash from './hash.mjs';
import hostile from './hostile.mjs';
import inputs from './inputs.mjs';
import memory from './memory.mjs';
import register from './register.mjs';
import shared from './shared.mjs';
import vectors from './vectors.mjs';

export const suites = [
  ['entries', entries],
  ['vectors', vectors],
  ['inputs', inputs],
  ['hash', hash],
  ['collisions', collisions],
  ['batches', batches],
  ['git', git],
  ['errors', errors],
  ['hostile', hostile],
  ['async', async],
  ['memory', memory],
  ['register', register],
  ['shared', shared],
];
