import type { Behaviour } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import type { Api, Recording } from './recordings/recording.ts'

/** Answers as a recording says, whole or streamed as it is asked. */
export function replaying(recording: Recording): Behaviour {
  const { api, whole, events = [], status = 200, headers = {} } = recording
  return ({ request, response }) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    response.statusCode = status
    const streamed = request.json?.stream === true && status === 200
    response.setHeader('content-type', streamed ? 'text/event-stream' : 'application/json')
    response.end(
      streamed
        ? framed(
            api,
            events.map((event) => JSON.stringify(event)),
          )
        : JSON.stringify(whole),
    )
  }
}

/** Data as server-sent events of an API, each in a frame of its own. */
export function framed(api: Api, data: readonly string[]): string {
  const frames = data.map((one) => (api === 'chat' ? `data: ${one}\n\n` : `event: ${JSON.parse(one).type}\ndata: ${one}\n\n`))
  return `${frames.join('')}${api === 'chat' ? 'data: [DONE]\n\n' : ''}`
}
