import { expect, test } from 'vitest'
import { parseRedisAddress } from './redis-address.ts'

const none = { username: undefined, password: undefined }

test.each([
  ['redis://127.0.0.1:6379', { kind: 'server', url: 'redis://127.0.0.1:6379' }],
  ['rediss://user:pass@host/3', { kind: 'server', url: 'rediss://user:pass@host/3' }],
  [
    'redis+sentinel://10.0.0.1:26379,ten.example,[::1]:26380/kim-phien',
    {
      kind: 'sentinel',
      nodes: [
        { host: '10.0.0.1', port: 26_379 },
        { host: 'ten.example', port: 26_379 },
        { host: '::1', port: 26_380 },
      ],
      name: 'kim-phien',
      ...none,
      sentinelPassword: undefined,
      isTls: false,
    },
  ],
  [
    'rediss+sentinel://:p%40ss@a/master?sentinelPassword=b%2Fc',
    {
      kind: 'sentinel',
      nodes: [{ host: 'a', port: 26_379 }],
      name: 'master',
      username: undefined,
      password: 'p@ss',
      sentinelPassword: 'b/c',
      isTls: true,
    },
  ],
  [
    'redis+cluster://app:secret@a:7000,b',
    {
      kind: 'cluster',
      nodes: [
        { host: 'a', port: 7_000 },
        { host: 'b', port: 6_379 },
      ],
      username: 'app',
      password: 'secret',
      isTls: false,
    },
  ],
])('%s', (text, address) => expect(parseRedisAddress(text)).toEqual(address))

test.each([
  '',
  'redis://',
  'http://127.0.0.1',
  '127.0.0.1:6379',
  // Without the master's name, with an empty node, with a port that is none.
  'redis+sentinel://a:26379',
  'redis+sentinel://a,,b/name',
  'redis+sentinel://a:70000/name',
  'redis+sentinel://a:0/name',
  'redis+sentinel:///name',
  'redis+sentinel://:%zz@a/name',
  // A cluster has no databases and no name.
  'redis+cluster://a/0',
  'redis+cluster://a?sentinelPassword=x',
  'redis+other://a/name',
])('%s is no address', (text) => expect(parseRedisAddress(text)).toBeNull())
