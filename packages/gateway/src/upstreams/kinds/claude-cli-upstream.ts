import { asRunnerFailure } from '@stickler/core/internal'
import type { ProcessNotes } from '@stickler/core/internal/relay'
import { type ClaudeCallOptions, type ClaudeCliSettings, checkClaudeCli, claudeCli, type ProcessReport } from '@stickler/node/claude'
import type { Upstream } from '../upstream.ts'
import { runnerUpstream } from './runner-upstream.ts'

/** Settings of the Claude command line. */
export interface ClaudeCliUpstreamSettings extends ClaudeCliSettings {
  readonly name: string
  /** The model that the command uses; a client cannot choose it. */
  readonly model?: string
}

/** The command has no other options; `stream_options` and `n` are for the gateway. */
const reads: ReadonlySet<string> = new Set(['model', 'messages', 'stream', 'stream_options', 'n'])

/** Maximum characters of the error stream that are recorded. */
const longestStderr = 8192

/**
 * Calls a model through the headless Claude command line; one process per call, in the session of
 * the conversation where it is known.
 */
export function claudeCliUpstream({ name, model, args = [], ...settings }: ClaudeCliUpstreamSettings): Upstream {
  const all = model === undefined ? args : [...args, '--model', model]
  return {
    ...runnerUpstream(name, claudeCli({ ...settings, args: all }), {
      wire: 'messages',
      reads,
      async prepare({ messages }, { continuation, folder, caller }, note) {
        const cwd = settings.cwd ?? folder
        const place = JSON.stringify([name, settings.command ?? '', all, cwd ?? ''])
        const open = await continuation?.take(place)
        let notes: ProcessNotes = { place, ...(open === undefined ? {} : { resumption: 'resumed' }) }
        const onProcess = (report: ProcessReport): void => {
          notes = withReport(notes, report)
          note(notes)
        }
        const further: Partial<ClaudeCallOptions> = {
          onProcess,
          transcript: messages,
          ...(cwd === undefined ? {} : { cwd }),
          ...(caller === undefined ? {} : { caller }),
        }
        if (open === undefined) return { prompt: messages, options: further }
        return { session: open.session, prompt: open.messages, options: further }
      },
    }),
    probe: commandProber(settings),
  }
}

function withReport(notes: ProcessNotes, { session, stderr, forgotten, exitCode }: ProcessReport): ProcessNotes {
  const said = [notes.stderr ?? '', stderr].filter((text) => text.trim() !== '').join('\n')
  return {
    ...notes,
    ...(session === undefined ? {} : { session }),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(forgotten ? { resumption: 'forgotten' } : {}),
    ...(said === '' ? {} : { stderr: said.slice(-longestStderr) }),
  }
}

/**
 * Makes the function that checks whether the command runs, by asking for its version; leaves
 * nothing running.
 */
function commandProber(settings: ClaudeCliSettings): NonNullable<Upstream['probe']> {
  const { command = 'claude' } = settings
  return async (signal) => {
    try {
      await checkClaudeCli(settings, signal)
      return { ok: true }
    } catch (thrown) {
      const { kind, message } = asRunnerFailure(thrown)
      // A probe is aborted only because it takes too long.
      if (kind !== 'aborted') return { ok: false, kind, message }
      return { ok: false, kind: 'timeout', message: `the command ${JSON.stringify(command)} did not report its version in time` }
    }
  }
}
