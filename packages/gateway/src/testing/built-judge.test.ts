import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requireBuiltJudge } from './built-judge.ts'

const folder = mkdtempSync(join(tmpdir(), 'stickler-built-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function write(path: string, seconds: number): void {
  const full = join(folder, path)
  mkdirSync(dirname(full), { recursive: true })
  writeFileSync(full, '')
  utimesSync(full, seconds, seconds)
}

beforeAll(() => {
  for (const name of ['core', 'gateway']) {
    write(`${name}/src/judging/judge.ts`, 1000)
    write(`${name}/dist/.tsbuildinfo`, 2000)
    write(`${name}/src/judging/judge.test.ts`, 3000)
    write(`${name}/src/testing/front.ts`, 3000)
  }
})

test('a build that is newer than its sources will do, whenever tests were changed', () => {
  expect(() => requireBuiltJudge(folder)).not.toThrow()
})

test.each(['core', 'gateway'])('an old build of %s, and a missing one, are told', (name) => {
  write(`${name}/src/judging/judge.ts`, 2500)
  expect(() => requireBuiltJudge(folder)).toThrow(/judge\.ts is newer than the build .*: npm run build/)
  write(`${name}/src/judging/judge.ts`, 1000)
  rmSync(join(folder, name, 'dist'), { recursive: true })
  expect(() => requireBuiltJudge(folder)).toThrow('npm run build')
  write(`${name}/dist/.tsbuildinfo`, 2000)
})
