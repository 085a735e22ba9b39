import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { root, scratchFolder, writeFiles } from './support/places.ts'
import { requireBuilt } from './support/require-built.ts'
import { run } from './support/run.ts'

const bin = join(root, 'packages/cli/bin/stickler.js')

beforeAll(() => requireBuilt(['core', 'gateway', 'cli']))

test('what stickler new writes passes its test and checks answers, where nothing is installed', async () => {
  const cwd = await scratchFolder()
  const made = await run(process.execPath, [bin, 'new', 'validator', 'no_hype'], { cwd })
  const lines = made.output.replace(/^wrote .*\n/m, '')
  await writeFiles(cwd, { 'stickler.yaml': lines, 'answer.md': 'Well, as an AI I cannot say.\n' })
  const command = /^# {3}node (.*)$/m.exec(lines)?.[1] ?? ''
  expect(command).toContain(pathToFileURL(join(root, 'packages/gateway')).href)
  const [tested, checked] = await Promise.all([
    run(process.execPath, command.split(' '), { cwd }),
    run(process.execPath, [bin, 'check', 'answer.md'], { cwd }),
  ])
  expect(tested.output).toMatch(/^. pass 3$/m)
  expect([tested.code, checked.code]).toEqual([0, 1])
  expect(checked.output).toContain('answer.md:1:7 error NO_HYPE Leave out "as an AI".')
})
