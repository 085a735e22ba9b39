import { anthropicKind } from './anthropic.ts'
import { claudeCliKind } from './claude-cli.ts'
import { extractiveKind } from './extractive.ts'
import { openaiKind } from './openai.ts'
import { scriptedKind } from './scripted.ts'
import type { UpstreamKind } from './upstream-kind.ts'

/** Every kind of upstream. */
export const upstreamKinds: readonly UpstreamKind[] = [openaiKind, anthropicKind, claudeCliKind, scriptedKind, extractiveKind]
