// isomorphic-git wants Node's Buffer as a global; imported before it.
import { Buffer } from 'buffer';

globalThis.Buffer = Buffer;
