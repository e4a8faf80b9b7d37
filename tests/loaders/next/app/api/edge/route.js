import * as sha1dc from 'sha1dc';

import { check } from '../../../check.mjs';

export const runtime = 'edge';

export async function GET() {
  return Response.json(await check(sha1dc));
}
