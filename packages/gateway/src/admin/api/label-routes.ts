import { HttpError } from '@stickler/core/internal/apis'
import * as z from 'zod'
import type { Exchange, Route } from '../../front/exchange.ts'
import { sendNothing } from '../../front/replies/json-response.ts'
import type { RouteDescription } from '../../front/route-description.ts'
import { askStore } from '../../records/store/ask-store.ts'
import type { RunLabels } from '../../records/store/labels.ts'
import { badParameter } from './query-reader.ts'

const path = '/api/v1/runs/:id/label'
const longestId = 256
const longestNote = 1000
const bodyShape = z.strictObject({
  label: z.enum(['good', 'bad']).describe('What an operator says of the run.'),
  note: z.string().max(longestNote).optional().describe('Why, for people.'),
})

/** Makes the routes with which operators label runs. */
export function labelRoutes(labels: RunLabels): readonly Route[] {
  return [
    {
      method: 'PUT',
      path,
      access: 'operate',
      description: setDescription,
      async handler(exchange) {
        const { label, note } = readLabel(await exchange.json())
        const by = exchange.identity.key
        await answer(exchange, (id) => labels.set(id, { label, by, ...(note === undefined ? {} : { note }) }))
      },
    },
    {
      method: 'DELETE',
      path,
      access: 'operate',
      description: removeDescription,
      handler: (exchange) => answer(exchange, (id) => labels.remove(id)),
    },
  ]
}

function readLabel(body: unknown): z.infer<typeof bodyShape> {
  const read = bodyShape.safeParse(body)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const [field] = issue?.code === 'unrecognized_keys' ? issue.keys : (issue?.path ?? [])
  const param = String(field ?? 'label').slice(0, 80)
  if (param === 'note') throw badParameter(param, `"note" must be a text of at most ${longestNote} characters.`)
  throw badParameter(param, param === 'label' ? '"label" must be good or bad.' : `Unknown field "${param}"; a label has label and note.`)
}

async function answer(exchange: Exchange, change: (id: string) => Promise<boolean>): Promise<void> {
  const { id = '' } = exchange.params
  const isKnown = id.length <= longestId && (await askStore(change(id)))
  if (!isKnown) throw new HttpError(404, 'There is no run with this id.', { param: 'id', code: 'not_found' })
  sendNothing(exchange)
}

const done = { 204: { meaning: 'It is done.', content: {} } }

function setDescription(): RouteDescription {
  return { summary: 'Label a run as good or bad.', group: 'Runs', body: { 'application/json': bodyShape }, replies: done }
}

function removeDescription(): RouteDescription {
  return { summary: 'Remove the label of a run.', group: 'Runs', replies: done }
}
