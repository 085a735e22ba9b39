// The designs of the presets, as their READMEs have them: each statement with the test that shows it.
import { readFileSync } from 'node:fs'
import { root } from '../types/typescript.mjs'

/** The designs by their folders, in the order of the alphabet: what the manifest of the presets lists. */
export const designs = Object.keys(JSON.parse(readFileSync(`${root}packages/presets/package.json`, 'utf8')).exports)
  .flatMap((door) => /^\.\/(?!internal$)(\w+)$/.exec(door)?.[1] ?? [])
  .sort()

/** The statements of a design: number, sentence, and the file and the name of a test. */
export function statementsOf(design) {
  const page = readFileSync(`${root}packages/presets/src/${design}/README.md`, 'utf8')
  return page.split('\n').flatMap((line) => {
    const [, number, statement, cell] = /^\| (\d+) \| (.+) \| ((?:[^|]|\\\|)+) \|$/.exec(line) ?? []
    if (cell === undefined) return []
    const [, path, test] = /^`([^`]+\.test\.ts)` "(.+)"$/.exec(cell.replaceAll('\\|', '|')) ?? []
    return [{ number: Number(number), statement, cell, path, test }]
  })
}

const summary = (design) => {
  const text = readFileSync(`${root}packages/presets/src/${design}/README.md`, 'utf8')
  const heading = /^# (.+)/.exec(text)?.[1]
  const all = statementsOf(design)
  const partly = all.filter(({ statement }) => isPartly(statement))
  return `| [${heading}](../../packages/presets/src/${design}/README.md) | ${all.length} | ${partly.map(({ number }) => number).join(', ') || 'none'} |\n`
}

/** Whether a statement holds only in part; its sentence then says why. */
export const isPartly = (statement) => /\bpartly\b/i.test(statement)

/** The page that lists them all. */
export function designsPage() {
  const fence = (test) => (test.includes('`') ? `\`\` ${test} \`\`` : `\`${test}\``)
  const rows = (design) =>
    statementsOf(design)
      .map(({ number, statement, path, test }) => `| ${number} | ${statement} | [${fence(test).replaceAll('|', '\\|')}](../../${path}) |\n`)
      .join('')
  return `# The statements of the four designs

Each preset follows a design that was written for one product. This page lists what the designs state, and a test that shows each statement. It is made from the READMEs of the presets: \`npm run lists\`.

| design | statements | which hold partly |
| --- | --- | --- |
${designs.map(summary).join('')}${designs.map((design) => `\n## \`${design}\`\n\n| | statement | test |\n| --- | --- | --- |\n${rows(design)}`).join('')}`
}
