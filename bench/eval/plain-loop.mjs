// The peer of `stickler eval`: reads lines and checks each by the library, one after the other, and keeps nothing.

import { createReadStream, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { buildContract, settle } from '@stickler/core'
import { catalogue } from '@stickler/presets'
import { parse } from 'yaml'

const [, , contractFile, file] = process.argv
const contract = buildContract(parse(readFileSync(contractFile, 'utf8')), catalogue)
const statuses = {}
for await (const line of createInterface({ input: createReadStream(file) })) {
  const { status } = await settle(contract, JSON.parse(line).text, {})
  statuses[status] = (statuses[status] ?? 0) + 1
}
console.log(JSON.stringify(statuses))
