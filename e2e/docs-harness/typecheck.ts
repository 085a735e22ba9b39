import { join, relative } from 'node:path'
import { root, writeFiles } from '../support/places.ts'
import { run } from '../support/run.ts'
import type { Page } from './run-page.ts'

/** What create-next-app 16 writes, but for its plugin, which is for editors only. */
const nextApp = {
  target: 'ES2017',
  lib: ['dom', 'dom.iterable', 'esnext'],
  allowJs: true,
  skipLibCheck: true,
  strict: true,
  noEmit: true,
  esModuleInterop: true,
  module: 'esnext',
  moduleResolution: 'bundler',
  resolveJsonModule: true,
  isolatedModules: true,
  jsx: 'react-jsx',
  paths: { '@/*': ['./*'] },
}

/** Compiles the TypeScript of pages below a folder of the repository against the built packages, in projects as `tsc --init` and create-next-app make them, and returns the complaints. */
export async function typecheck(folder: string, pages: readonly Page[]): Promise<string> {
  const tsc = (...args: string[]) =>
    run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--pretty', 'false', ...args], { cwd: folder })
  await writeFiles(folder, { 'package.json': JSON.stringify({ type: 'module' }) })
  await tsc('--init')
  const below = (page: Page) => `${relative(folder, page.folder) || '.'}/**/*.ts`
  // Only a page that tells its readers to install the types of Node may use them.
  const forNode = pages.filter(({ markdown }) => markdown.includes('@types/node'))
  const others = pages.filter((page) => !forNode.includes(page))
  const init = { extends: './tsconfig.json', compilerOptions: { noEmit: true } }
  const projects = {
    init: { ...init, include: others.map(below) },
    'init-node': { extends: './tsconfig.json', compilerOptions: { noEmit: true, types: ['node'] }, include: forNode.map(below) },
    next: { compilerOptions: { ...nextApp, types: ['node'] }, include: pages.map(below) },
  }
  const complaints: string[] = []
  for (const [name, config] of Object.entries(projects)) {
    if (config.include.length === 0) continue
    await writeFiles(folder, { [`tsconfig.${name}.json`]: JSON.stringify(config) })
    const { output } = await tsc('-p', `tsconfig.${name}.json`)
    // TS18003: no page has a ts block, which is no complaint.
    if (output.trim() !== '' && !output.includes('error TS18003')) complaints.push(`${name}:\n${output.trim()}`)
  }
  return complaints.join('\n')
}
