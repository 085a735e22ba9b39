// npm run pictures: runs the commands that the documentation shows and draws what they print.
// With --check nothing is written: it fails when a picture shows another text than its command prints now.
import { readFileSync, writeFileSync } from 'node:fs'
import { record } from './record.mjs'
import { render, textOf } from './render.mjs'
import { scenes } from './scenes.mjs'

/** The times in the demo's table differ with every run. */
const withoutTimes = (text) => text.replace(/^ {0,4}\d+(?= {2})/gm, 'ms')

const drawn = await Promise.all(scenes.map(async (scene) => ({ scene, svg: render(await record(scene), scene.shown) })))
for (const { scene, svg } of drawn) {
  const file = new URL(`../../docs/pictures/${scene.name}.svg`, import.meta.url)
  if (!process.argv.includes('--check')) writeFileSync(file, svg)
  else if (withoutTimes(textOf(svg)) !== withoutTimes(textOf(readFileSync(file, 'utf8')))) {
    process.stdout.write(`docs/pictures/${scene.name}.svg is out of date; npm run pictures\n${textOf(svg)}\n`)
    process.exitCode = 1
  }
}
