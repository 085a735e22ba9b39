// Measures the parser of one language by itself, in a process of its own: how long it takes to load, and what it reads per second.
import { languages } from '../../packages/parser/dist/languages/index.js'
import { sampleOf } from './samples.mjs'

const language = languages.find(({ name }) => name === process.argv[2])
const started = performance.now()
const parse = await language.load()
parse(sampleOf(language.name, 200))
const loadMs = performance.now() - started
const text = sampleOf(language.name, 100_000)
const { user: before } = process.cpuUsage()
const until = performance.now() + 800
let runs = 0
for (; runs < 3 || performance.now() < until; runs++) parse(text)
const seconds = (process.cpuUsage().user - before) / 1e6
console.log(JSON.stringify({ loadMs, speed: (text.length * runs) / 1e6 / seconds }))
