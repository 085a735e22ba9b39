import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { runModule } from './docs-harness/module-block.ts'
import { docsRun, root } from './support/places.ts'
import { run } from './support/run.ts'

const folder = join(root, 'examples')
const modules = (await readdir(folder)).filter((name) => name.endsWith('.ts'))
afterAll(() => rm(docsRun, { recursive: true, force: true }))

describe('the examples', () => {
  test.each(modules)('%s prints what it says at its end', async (name) => {
    const [, expected] = (await readFile(join(folder, name), 'utf8')).split('\n// prints:\n')
    await mkdir(docsRun, { recursive: true })
    expect(await runModule(join(folder, name), docsRun)).toBe(expected?.replace(/^\/\/ ?/gm, ''))
  })
})

test('an example runs as a program, on any Node', async () => {
  const [, expected] = (await readFile(join(folder, 'tool-calls.ts'), 'utf8')).split('\n// prints:\n')
  const { code, output } = await run(process.execPath, [join(folder, 'run.mjs'), 'tool-calls'], { cwd: root })
  expect([code, output]).toEqual([0, expected?.replace(/^\/\/ ?/gm, '')])
  expect((await run(process.execPath, [join(folder, 'run.mjs'), 'none'], { cwd: root })).code).toBe(2)
})

describe('the demo', () => {
  test('shows four scenes, in 80 columns and without colours where there is no terminal', async () => {
    const { code, output } = await run(process.execPath, [join(folder, 'demo.mjs')], { cwd: root, timeoutMs: 20_000 })
    expect(code, output).toBe(0)
    for (const line of output.split('\n')) expect([...line].length, line).toBeLessThanOrEqual(80)
    expect(output).not.toContain('\u001b')
    const statuses = output.match(/^ {3}outcome +.*$/gm)?.map((line) => line.split(/\s+/)[2])
    expect(statuses).toEqual(['repaired', 'valid', 'unresolved', 'unchecked'])
    expect(output).toContain('The reader saw the final text and nothing else.')
  })
})
