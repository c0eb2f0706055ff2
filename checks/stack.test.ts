import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './source-files.ts'

test('a stack of the build is written in terms of the source, and what has no map stays', () => {
  const maps = mkdtempSync(join(tmpdir(), 'maps-'))
  try {
    // Line 2, column 1 of the script is line 4, column 3 of the source (source map format, base64 VLQ).
    const map = { version: 3, sources: ['../../web/screens/home-screen.tsx'], names: [], mappings: ';AAGE' }
    writeFileSync(join(maps, 'home-abc.js.map'), JSON.stringify(map))
    const place = (file: string) => `https://kim.example/assets/${file}:2:1`
    const stack = `Error: x\n    at a (${place('home-abc.js')})\na@${place('home-abc.js')}\n    at ${place('gone-abc.js')}\n{"frames":["a assets/home-abc.js:2:1"]}\n`
    const input = { cwd: root, input: stack, encoding: 'utf8' } as const
    expect(execFileSync(process.execPath, ['scripts/stack.mjs', maps], input)).toBe(
      `Error: x\n    at a (web/screens/home-screen.tsx:4:3)\na@web/screens/home-screen.tsx:4:3\n    at ${place('gone-abc.js')}\n{"frames":["a web/screens/home-screen.tsx:4:3"]}\n`,
    )
  } finally {
    rmSync(maps, { recursive: true })
  }
})
