import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeShims } from './docs-harness/console-block.ts'
import { findDeadLinks } from './docs-harness/links.ts'
import { type Page, preparePage, runPage } from './docs-harness/run-page.ts'
import { typecheck } from './docs-harness/typecheck.ts'
import { docsRun, root } from './support/places.ts'
import { walk } from './support/walk.ts'

const under = join(docsRun, 'pages')
const isPage = (path: string) => /^(README|CONTRIBUTING|packages\/[^/]+\/README|docs\/.+)\.md$/.test(path)
const names = (await walk()).filter(isPage)
const pages: Page[] = await Promise.all(
  names.map(async (name) => ({ name, markdown: await readFile(join(root, name), 'utf8'), folder: join(under, name.replace(/\.md$/, '')) })),
)

describe('the docs do what they say', () => {
  beforeAll(async () => {
    await writeShims()
    for (const page of pages) await preparePage(page).catch(() => undefined) // The test of the page says what is wrong with it.
  })

  afterAll(() => rm(docsRun, { recursive: true, force: true }))

  test.each(pages)('$name', { timeout: 120_000 }, runPage)

  test('their TypeScript type-checks against the built packages', { timeout: 120_000 }, async () => {
    expect(await typecheck(under), 'file and line tell the page and its line; if nothing is found, npm run build').toBe('')
  })

  test('their links lead somewhere', async () => {
    expect(await findDeadLinks(pages)).toEqual([])
  })
})
