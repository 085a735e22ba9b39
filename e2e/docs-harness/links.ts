import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { root } from '../support/places.ts'

/** The links of pages that lead to no file or no heading of the repository, as `page:line: link`. */
export async function findDeadLinks(pages: readonly { readonly name: string; readonly markdown: string }[]): Promise<string[]> {
  const dead: string[] = []
  for (const { name, markdown } of pages) {
    for (const [index, line] of withoutCode(markdown).split('\n').entries()) {
      for (const [, link = ''] of line.matchAll(/\]\(<?([^)\s>]+)>?[^)]*\)/g)) {
        if (!(await leadsSomewhere(name, markdown, link))) dead.push(`${name}:${index + 1}: ${link}`)
      }
    }
  }
  return dead
}

async function leadsSomewhere(page: string, markdown: string, link: string): Promise<boolean> {
  if (/^[a-z]+:/.test(link)) return true
  const [path = '', anchor] = link.split('#', 2)
  if (path === '') return slugs(markdown).includes(anchor ?? '')
  const target = join(root, dirname(page), decodeURIComponent(path))
  if (!existsSync(target)) return false
  return anchor === undefined || slugs(await readFile(target, 'utf8')).includes(anchor)
}

/** The anchors that GitHub gives the headings of a page. */
function slugs(markdown: string): string[] {
  const seen = new Map<string, number>()
  return [...withoutCode(markdown, /^$/g).matchAll(/^#{1,6} +(.*)$/gm)].map(([, heading = '']) => {
    const slug = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-')
    const times = seen.get(slug) ?? 0
    seen.set(slug, times + 1)
    return times === 0 ? slug : `${slug}-${times}`
  })
}

/** Blanks fenced blocks and inline code, so that lines keep their numbers. */
function withoutCode(markdown: string, inline = /`[^`\n]*`/g): string {
  const blank = (text: string) => text.replace(/[^\n]/g, '')
  return markdown.replace(/^( *)(`{3,}|~{3,})[\s\S]*?^ *\2[`~]*$/gm, blank).replace(inline, '')
}
