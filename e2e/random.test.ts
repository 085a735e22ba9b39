import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { seed } from '../tools/tests/random.ts'
import { docsRun, root, writeFiles } from './support/places.ts'
import { run } from './support/run.ts'
import { walk } from './support/walk.ts'

afterAll(() => rm(docsRun, { recursive: true, force: true }))

test('a property and a sample have the same cases in each run', () => {
  const casesOf = (): number[] => {
    const cases: number[] = []
    fc.assert(
      fc.property(fc.nat(), (one) => {
        cases.push(one)
      }),
    )
    return cases
  }
  expect(casesOf()).toEqual(casesOf())
  expect(new Set(casesOf()).size).toBeGreaterThan(50)
  expect(fc.sample(fc.nat(), 20)).toEqual(fc.sample(fc.nat(), 20))
  const failing = () => fc.assert(fc.property(fc.nat(), (one) => one < 1000))
  expect(failing).toThrow(`{ seed: ${seed}, path: `)
})

describe('every random test takes its seed from one place', () => {
  /** What would draw other cases in each run, or cases that `npm run test:random` cannot change. */
  const own: Readonly<Record<string, RegExp>> = {
    'Math.random': /\bMath\.random\(/,
    'random bytes': /\b(randomBytes|randomInt|getRandomValues|randomFillSync)\(/,
    'the clock as a seed': /\b(Date\.now|performance\.now)\(\)\s*(%|&|\^|>>>)|randomFrom\([^)]*now\(/,
    'a seed of its own': /\b(numRuns|path)\b[^}\n]*\bseed:|\bseed:[^}\n]*\bnumRuns\b|\brandomFrom\(\d/,
    'settings of its own': /\b(configureGlobal|resetConfigureGlobal)\(|\bfc\.(check|statistics)\(/,
    'another fast-check': /['"](@fast-check\/|fast-check\/|[^'"]*node_modules\/fast-check)|require\(['"]fast-check/,
    'a generator of its own': /Math\.imul\(state|\b(1_?664_?525|1_?103_?515_?245|0x6d2b79f5|48_?271|16_?807)\b/,
    'a variable of its own': /process\.env\.\w*(SEED|RUNS|TIMES)\b/,
  }
  /** The generators that are given a seed. */
  const given = [
    'bench/complexity/recipes.mjs',
    'packages/dashboard/src/testing/seed.ts',
    'packages/ask/src/testing/damage-index.mjs',
    'attack/attack.ts',
    'attack/run-attack.ts',
  ]

  const faultsIn = (text: string) => Object.keys(own).filter((name) => own[name]?.test(text))

  test('no test and no helper of one draws cases in another way', async () => {
    const isTest = (path: string) =>
      /\.(test\.ts|test-d\.ts)$|\/testing\//.test(path) || (/^(e2e|attack|bench\/complexity)\//.test(path) && /\.(ts|mjs)$/.test(path))
    const files = (await walk()).filter((path) => isTest(path) && !given.includes(path) && path !== 'e2e/random.test.ts')
    expect(files.length).toBeGreaterThan(500)
    const found = await Promise.all(files.map(async (path) => [path, faultsIn(await readFile(join(root, path), 'utf8'))] as const))
    expect(found.filter(([, faults]) => faults.length > 0)).toEqual([])
  })

  test.each([
    ['Math.random', 'const one = list[Math.floor(Math.random() * 3)]'],
    ['random bytes', 'const bytes = randomBytes(8)'],
    ['the clock as a seed', 'const seed = Date.now() % 2 ** 31'],
    ['the clock as a seed', 'const random = randomFrom(Date.now())'],
    ['a seed of its own', 'fc.assert(property, { numRuns: 200, seed: 12 })'],
    ['a seed of its own', 'fc.assert(property, { seed: 12, numRuns: 200 })'],
    ['a seed of its own', 'const random = randomFrom(7)'],
    ['settings of its own', 'fc.configureGlobal({ seed: 1 })'],
    ['settings of its own', 'const details = fc.check(property)'],
    ['another fast-check', "import { test } from '@fast-check/vitest'"],
    ['a generator of its own', 'state = (Math.imul(state, 5) + 1) >>> 0'],
    ['a variable of its own', 'const runs = Number(process.env.FUZZ_RUNS ?? 300)'],
  ])('%s is found in %s', (name, line) => {
    expect(faultsIn(line)).toContain(name)
  })
})

describe('npm run test:random', () => {
  const folder = join(docsRun, 'random')
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: '1' }
  const testRandom = (...words: string[]) =>
    run(process.execPath, [join(root, 'tools/tests/test-random.mjs'), ...words], { cwd: folder, env })
  const alias = { 'fast-check': join(root, 'tools/tests/fast-check.ts') }
  const config = `export default ${JSON.stringify({ resolve: { alias }, test: { include: ['e2e/*.test.ts'] } })}\n`
  const property = (limit: number) => `import fc from 'fast-check'
import { test } from 'vitest'
test('numbers', () => fc.assert(fc.property(fc.nat(), (one) => one < ${limit})))
`

  test('prints its seed, counts its cases, and tells how to repeat a failure', { timeout: 120_000 }, async () => {
    await mkdir(folder, { recursive: true })
    const files = { 'vitest.config.ts': config, 'e2e/right.test.ts': property(2 ** 31), 'e2e/wrong.test.ts': property(1000) }
    await writeFiles(folder, { ...files, 'e2e/constant.test.ts': "import { test } from 'vitest'\ntest('nothing', () => {})\n" })
    const right = await testRandom('--times', '3', 'right')
    expect(right.output).toMatch(/seed (\d+): 300 cases of 1 properties/)
    expect(right.output).toContain('1 files')
    expect(right.code).toBe(0)
    const drawn = /seed (\d+),/.exec(right.output)?.[1]
    const wrong = await testRandom()
    const command = /To repeat it: npm run test:random -- (--seed (\d+) --times 10)/.exec(wrong.output)
    expect([wrong.code, command?.[2]]).toEqual([1, expect.any(String)])
    expect(command?.[2]).not.toBe(drawn)
    expect(wrong.output).toContain('2 files')
    const caseOf = (output: string) => /\{ seed: .*\}\s+Counterexample: .*/.exec(output)?.[0]
    const again = await testRandom(...(command?.[1]?.split(' ') ?? []))
    expect(caseOf(again.output)).toBe(caseOf(wrong.output))
    expect(caseOf(again.output)).toContain(`seed: ${command?.[2]}`)
  })

  test.each([['--seed', 'x'], ['--times'], ['--other'], ['nowhere']])('%s %s is refused', async (...words) => {
    await mkdir(folder, { recursive: true })
    expect((await testRandom(...words)).code).toBe(1)
  })
})
