import { describe, expect, it } from 'vitest'
import { PathSuggester } from './suggest.ts'

const files = [
  'README.md',
  'src/main.ts',
  'src/app/main.ts',
  'src/app/session.ts',
  'src/app/utils.ts',
  'lib/reader.ts',
  'docs/guide/setup.md',
]

describe('PathSuggester', () => {
  it.each([
    ['readme.md', 'README.md'],
    ['reader.ts', 'lib/reader.ts'],
    ['src/lib/reader.ts', 'lib/reader.ts'],
    ['src/ap/main.ts', 'src/app/main.ts'],
    ['src\\app\\session.ts', 'src/app/session.ts'],
    ['src/app/sesion.ts', 'src/app/session.ts'],
    ['src/app/util.ts', 'src/app/utils.ts'],
    ['guide/set-up.md', 'docs/guide/setup.md'],
    ['src/app/mian.ts', 'src/app/main.ts'],
    ['src/app/quite-another.py', undefined],
    ['', undefined],
  ])('%j means %j', (path, meant) => {
    expect(new PathSuggester(files).suggest(path)).toBe(meant)
  })

  it('has nothing to suggest from nothing', () => {
    expect(new PathSuggester([]).suggest('a.ts')).toBeUndefined()
  })

  it('knows no names that objects bring along', () => {
    expect(new PathSuggester(files).suggest('__proto__/constructor')).toBeUndefined()
  })

  it.each([
    ['short names', (index: number) => `src/folder${index % 50}/module-${index}.ts`],
    ['long names', (index: number) => `src/${'very-long-name-'.repeat(13)}${index}.ts`],
    ['the same name everywhere', (index: number) => `src/folder${index}/index.ts`],
    ['one folder', (index: number) => `module-${index}.ts`],
  ])('takes bounded time for %s', { timeout: 20_000 }, (_, name) => {
    const suggester = new PathSuggester(Array.from({ length: 20_000 }, (_unused, index) => name(index)))
    for (let index = 0; index < 1000; index++) {
      suggester.suggest(`src/folder3/modul_${index}x.ts`)
      suggester.suggest(`src/sub/index.ts`)
      suggester.suggest('y'.repeat(1024))
    }
    expect(suggester.suggest('y'.repeat(1024))).toBeUndefined()
  })
})
