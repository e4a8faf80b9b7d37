'use client';

import { useEffect, useState } from 'react';
import * as sha1dc from 'sha1dc';

import { check } from '../check.mjs';

export default function Client() {
  const [result, setResult] = useState('waiting');
  useEffect(() => {
    check(sha1dc).then(
      (outcome) => setResult(JSON.stringify(outcome)),
      (error) => setResult(JSON.stringify({ failed: String(error) })),
    );
  }, []);
  return <pre id="client">{result}</pre>;
}
