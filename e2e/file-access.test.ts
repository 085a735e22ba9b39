import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Sources that may open files themselves, and why that is safe. */
const allowed: Readonly<Record<string, string>> = {
  'packages/node/src/files/regular-file.ts': 'the one place that opens what a path leads to',
  'packages/ask/src/retrieval/engines/sqlite/connection.ts': 'makes a file that is not there yet',
  'packages/cli/src/catalogue/explain-code.ts': 'reads a page of its own package',
  'packages/cli/src/commands/init.ts': 'makes a file that is not there yet',
  'packages/cli/src/commands/new.ts': 'makes files that are not there yet',
  'packages/cli/src/hook/run-hook.ts': 'looks at what it is first, and must start before the code that opens all others is loaded',
  'packages/cli/src/files/write-file.ts':
    'makes a draft that is not there yet and renames it, or opens without blocking and looks at what it opened',
  'packages/gateway/src/admin/dashboard/dashboard-files.ts': "reads the dashboard's files from its own package",
  'packages/gateway/src/records/store/engine/sqlite.ts': 'makes a file that is not there yet',
  'packages/gateway/src/records/store/journal/disk-files.ts': "the gateway's own journals, in its own folder",
  'packages/parser/src/languages/bash/shell-parser.ts': 'reads the module of an installed package',
  'packages/parser/src/languages/go/index.ts': 'reads the grammar of an installed package',
}

/** What opens a path, and may wait for ever or read without end where that is not a regular file. */
const opening =
  /^(?:readFile|readFileSync|createReadStream|open|openSync|openAsBlob|writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream|copyFile|copyFileSync|cp|cpSync)$/

function sources(): string[] {
  const files = readdirSync(join(root, 'packages'), { recursive: true, encoding: 'utf8' }).map((name) => `packages/${name}`)
  return files.filter((name) => /^packages\/[\w-]+\/src\/.*\.tsx?$/.test(name) && !/\.test(?:-d)?\.ts$|\/testing\//.test(name))
}

/** The names that a module takes from Node's file system; `*` for all of it. */
function taken(source: string): string[] {
  const imports = [...source.matchAll(/import\s+(type\s+)?([^'"]*?)\s*from\s*['"](?:node:)?fs(?:\/promises)?['"]/g)]
  const others = /(?:import|require)\(\s*['"](?:node:)?fs/.test(source) ? ['*'] : []
  return imports
    .flatMap(([, isType, clause = '']) => {
      if (isType !== undefined) return []
      const named = /\{([^}]*)\}/.exec(clause)?.[1]
      if (named === undefined) return ['*']
      return named.split(',').flatMap((name) => (/^\s*(?:type\s|$)/.test(name) ? [] : [name.trim().split(/\s+as\s+/)[0] ?? '']))
    })
    .concat(others)
}

it('files are opened in one place, which takes regular ones only', () => {
  const openers = sources().filter((file) =>
    taken(readFileSync(join(root, file), 'utf8')).some((name) => name === '*' || opening.test(name)),
  )
  expect(openers.map((file) => relative(root, join(root, file))).sort()).toEqual(Object.keys(allowed).sort())
})

it('finds every way to import what opens files', () => {
  expect(taken("import { readFile as r, type Stats } from 'node:fs/promises'\nimport {\n  stat,\n  openSync,\n} from 'fs'\n")).toEqual([
    'readFile',
    'stat',
    'openSync',
  ])
  expect(taken("import * as fs from 'node:fs'")).toEqual(['*'])
  expect(taken("import fs from 'node:fs'")).toEqual(['*'])
  expect(taken("const fs = await import('node:fs')")).toEqual(['*'])
  expect(taken("import type { Stats } from 'node:fs'")).toEqual([])
})
