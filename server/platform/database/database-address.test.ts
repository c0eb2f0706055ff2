import { expect, test } from 'vitest'
import { parseDatabaseAddress } from './database-address.ts'

test.each([
  ['postgres://u:p@host:5433/db', ['postgres://u:p@host:5433/db'], false],
  ['postgresql://host/db?sslmode=require', ['postgresql://host/db?sslmode=require'], false],
  ['postgres://host/db?target_session_attrs=read-write', ['postgres://host/db'], true],
  ['postgres://host/db?target_session_attrs=any', ['postgres://host/db'], false],
  [
    'postgres://u:p%40@one:5432,two,[::1]:5434/db?target_session_attrs=primary&sslmode=require',
    ['one:5432', 'two', '[::1]:5434'].map((host) => `postgres://u:p%40@${host}/db?sslmode=require`),
    true,
  ],
])('%s', (text, urls, needsPrimary) => expect(parseDatabaseAddress(text)).toEqual({ urls, needsPrimary }))

test.each([
  '',
  'postgres://',
  'postgres:///db',
  'mysql://host/db',
  'postgres://one,,two/db',
  'postgres://one,two:99999/db',
  'postgres://host/db?target_session_attrs=standby',
])('%s is no address', (text) => expect(parseDatabaseAddress(text)).toBeNull())
