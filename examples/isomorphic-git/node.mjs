#!/usr/bin/env node
// isomorphic-git in Node, its SHA-1 replaced by importing one module. Prints what was seen as JSON.
import nodeCrypto from 'node:crypto';
import fs from 'node:fs';

import git from 'isomorphic-git';
import { backend } from 'sha1dc';

import { shattered } from '../_shared/shattered.mjs';
import { prove } from './proof.mjs';

const dir = process.argv[2] ?? fs.mkdtempSync('isomorphic-git-');
console.log(JSON.stringify({ backend, ...(await prove({ git, fs, dir, attack: shattered, nodeCrypto })) }, null, 1));
if (!process.argv[2]) fs.rmSync(dir, { recursive: true });
