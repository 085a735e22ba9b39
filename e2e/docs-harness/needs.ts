import { readPage } from './page.ts'
import type { Page } from './run-page.ts'

/** What the programs of a page need and its readers are not told to install; the packages of Stickler and Zod they have. */
export function missingInstalls({ name, markdown }: Pick<Page, 'name' | 'markdown'>): string[] {
  // Readers do not see what is in comments.
  const visible = markdown.replace(/<!--.*?-->/gs, (comment) => comment.replace(/[^\n]/g, ''))
  const programs = readPage(name, visible).filter(({ language }) => language === 'ts' || language === 'js')
  const told = new Set([...visible.matchAll(/npm install ([^`\n]+)/g)].flatMap(([, packages = '']) => packages.split(' ')))
  const needed = programs.flatMap(({ language, text }) => {
    const modules = [...text.matchAll(/\b(?:from|import) '([^'.][^']*)'/g)].map(([, module = '']) => module)
    const ofNode = language === 'ts' && /'node:|\bprocess\.|\bBuffer\b/.test(text) ? ['@types/node'] : []
    return [...ofNode, ...modules.filter((module) => !/^(node:|@stickler\/|zod$)/.test(module)).map(packageOf)]
  })
  return [...new Set(needed)].filter((one) => !told.has(one)).map((one) => `${name}: npm install ${one}`)
}

const packageOf = (module: string): string => module.split('/', module.startsWith('@') ? 2 : 1).join('/')
