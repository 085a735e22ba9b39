import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { docsRun, root } from '../support/places.ts'
import { walk } from '../support/walk.ts'
import { writeShims } from './console-block.ts'
import { findDeadLinks } from './links.ts'
import { missingInstalls } from './needs.ts'
import { type Page, preparePage, runPage } from './run-page.ts'
import { typecheck } from './typecheck.ts'

/** What a new user reads and runs first, and one page for each preset. */
const first = /^(README|CONTRIBUTING|docs\/guide\/(getting-started|structured-output|gateway|json-mode|helix|techtime|avap))\.md$/

/** Runs pages of the documentation: those that are read first, or all others. */
export async function testPages(chosen: 'first' | 'others'): Promise<void> {
  const under = join(docsRun, 'pages')
  const isPage = (path: string) => /^(README|CONTRIBUTING|packages\/(?:[^/]+|presets\/src\/[^/]+)\/README|docs\/.+)\.md$/.test(path)
  const names = (await walk()).filter((path) => isPage(path) && first.test(path) === (chosen === 'first'))
  const pages: Page[] = await Promise.all(
    names.map(async (name) => ({
      name,
      markdown: await readFile(join(root, name), 'utf8'),
      folder: join(under, name.replace(/\.md$/, '')),
    })),
  )

  describe('the docs do what they say', () => {
    beforeAll(async () => {
      await writeShims()
      for (const page of pages) await preparePage(page).catch(() => undefined) // The test of the page says what is wrong with it.
    })

    afterAll(() => rm(docsRun, { recursive: true, force: true }))

    test.each(pages)('$name', { timeout: 120_000 }, runPage)

    test('their TypeScript type-checks against the built packages', { timeout: 120_000 }, async () => {
      expect(await typecheck(under, pages), 'file and line tell the page and its line; if nothing is found, npm run build').toBe('')
    })

    test('they tell what their programs need', () => {
      expect(pages.filter(({ name }) => !/^docs\/(reference|decisions)\//.test(name)).flatMap(missingInstalls)).toEqual([])
    })

    test('their links lead somewhere', async () => {
      expect(await findDeadLinks(pages)).toEqual([])
    })
  })
}
