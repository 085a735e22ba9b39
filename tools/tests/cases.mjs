// What the tests try, by their titles: `npm run cases`, and `npm run cases -- U07` for those with all given words.
import { readdirSync, readFileSync } from 'node:fs'
import { root } from '../types/typescript.mjs'
import { titlesOf } from './titles.mjs'

const words = process.argv.slice(2).map((word) => word.toLowerCase())
const files = ['e2e', 'packages'].flatMap((folder) =>
  readdirSync(`${root}${folder}`, { recursive: true })
    .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
    .map((path) => `${folder}/${path}`),
)
for (const path of files.sort()) {
  const titles = titlesOf(readFileSync(root + path, 'utf8')).map((title) => title.join(' > '))
  const found = titles.filter((title) => words.every((word) => `${path} ${title}`.toLowerCase().includes(word)))
  if (found.length > 0) console.log(`${path}\n${found.map((title) => `  ${title}`).join('\n')}`)
}
