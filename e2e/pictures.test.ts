import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './support/places.ts'
import { run } from './support/run.ts'
import { walk } from './support/walk.ts'

test('the pictures show what their commands print', { timeout: 60_000 }, async () => {
  const { code, output } = await run(process.execPath, [join(root, 'tools/pictures/draw.mjs'), '--check'], { cwd: root })
  expect(output).toBe('')
  expect(code).toBe(0)
})

test('every picture is used by a page, and drawings are well-formed text without scripts and addresses', async () => {
  const files = await walk()
  const pages = await Promise.all(files.filter((path) => path.endsWith('.md')).map((path) => readFile(join(root, path), 'utf8')))
  const pictures = files.filter((path) => path.startsWith('docs/pictures/'))
  expect(pictures.length).toBeGreaterThan(0)
  for (const path of pictures) {
    expect(
      pages.some((page) => page.includes(path) || page.includes(path.replace('docs/', '../'))),
      path,
    ).toBe(true)
    if (!path.endsWith('.svg')) continue
    const svg = await readFile(join(root, path), 'utf8')
    expect(svg).not.toMatch(/<script|href|@import|url\(/)
    expect(svg.match(/<text /g)?.length).toBe(svg.match(/<\/text>/g)?.length)
  }
})
