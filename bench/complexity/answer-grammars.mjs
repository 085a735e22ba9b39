import { grammar } from './grammar.mjs'
import { markdown } from './grammars.mjs'

/** Tokens of chat templates, labels of turns, and what makes them code. */
export const leaks = grammar(
  [
    '</s>',
    '<s>',
    '<eos>',
    '<|im_end|>',
    '<|im_start|>',
    'user\n',
    '[INST]',
    '</think>',
    '<|',
    '<',
    '[',
    '|>',
    'User: ',
    'Admin: ',
    '### ',
    '`',
    '```\n',
    'a',
    '. ',
    '.\n\n',
    ' ',
    '\n',
    '\n\n',
  ],
  'a ',
  'a.\n\nUser: ',
  '<|im_start|>assistant\n',
  '```\n',
)
/** Sentences, lines and signs that come back. */
export const loops = grammar(
  [
    'One sentence of many words is here. ',
    'Is it another one? ',
    'a',
    'ab',
    'b ',
    '. ',
    '! ',
    '- ',
    '1. ',
    '2',
    '| a |',
    '```\n',
    '`',
    '日',
    '\n',
    '\n\n',
    ' ',
    '\r\n',
    '-----',
    'é',
  ],
  'One sentence of many words is here. ',
  '| a |\n|---|\n',
  '```\n',
)
/** HTML in Markdown, in fences that other readers close too early. */
export const html = grammar(
  [...markdown.tokens, '<b>', '<a ', '</', '<!', '<?', 'onclick=', '=x', '```\n', '\n```\n', '```md\n'],
  '```md\nx:\n```\n',
  '```md\nx:\n```js\n',
  '> <a ',
  '<div title="',
)
