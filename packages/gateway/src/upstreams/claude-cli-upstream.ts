import { type ClaudeCliSettings, claudeCli } from '@stickler/core/node'
import { commandProber } from './command-probe.ts'
import { runnerUpstream } from './runner-upstream.ts'
import type { Upstream } from './upstream.ts'

/** How to start the Claude command line behind a gateway. */
export interface ClaudeCliUpstreamSettings extends ClaudeCliSettings {
  readonly name: string
  /** The model that the command is told to use; a client cannot choose it. */
  readonly model?: string
}

/** Talks to a model through the headless Claude command line; one process for each call. */
export function claudeCliUpstream({ name, model, args = [], ...settings }: ClaudeCliUpstreamSettings): Upstream {
  return {
    ...runnerUpstream(name, claudeCli({ ...settings, args: model === undefined ? args : [...args, '--model', model] }), 'messages'),
    probe: commandProber(settings),
  }
}
