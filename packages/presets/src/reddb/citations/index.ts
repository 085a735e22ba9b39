import { countSources, defineCitations } from '@stickler/core/internal/validators'
import { citations as generic } from '@stickler/core/validators'
import { reddbFeedback, reddbFindings } from './issues.ts'
import { ReddbStream } from './stream.ts'

/** The validator `citations` with RedDB's grammar, messages and retry prompt as the profile `reddb`. */
export const citations = defineCitations(
  [
    {
      name: 'reddb',
      summary: 'exactly what the parser of RedDB finds, with its messages',
      restrictions: [
        {
          option: 'styles',
          allows: ({ styles }) => styles.every((style) => style === 'caret'),
          message: 'the profile reddb supports only the style caret',
        },
        {
          option: 'requireCitations',
          allows: ({ requireCitations }) => requireCitations === false,
          message: 'the profile reddb does not require citations',
        },
        { option: 'release', allows: ({ release }) => release === 'text', message: 'the profile reddb releases text as it comes' },
        { option: 'dropUnsupported', allows: ({ dropUnsupported }) => !dropUnsupported, message: 'the profile reddb repairs nothing' },
      ],
      prepare: ({ sources }) => ({
        check: (answer, { context }) => reddbFindings(answer, countSources(context, sources), context),
        incremental: ({ context }) => new ReddbStream(countSources(context, sources)),
        feedback: reddbFeedback,
      }),
    },
  ],
  generic.definition,
)
