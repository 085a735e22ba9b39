/** What the upstream says, by the name of the model; each is checked for what it should be before anything is measured. */

const plan = {
  city: 'Ulm',
  days: 2,
  stops: [
    { name: 'Minster', hours: 3, indoor: true },
    { name: 'Fishermen’s quarter', hours: 2, indoor: false },
  ],
}

/** The schema of the JSON in the whole answer. */
export const schema = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    days: { type: 'integer' },
    stops: {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: { type: 'string' }, hours: { type: 'integer' }, indoor: { type: 'boolean' } },
        required: ['name', 'hours'],
      },
    },
  },
  required: ['city', 'days', 'stops'],
}

/** How many sources there are to cite. */
export const sourceCount = 3

const marker = '<!-- STEP: done -->'
const prose =
  'The old town is small, so two days are enough for it[^1]. Start at the minster while the stairs are empty, and take the whole morning for the way up and the ' +
  'windows[^2]. The quarter at the river is best seen on foot in the late afternoon, when the light stands low over the water and the houses[^3]. Both places lie ten ' +
  'minutes from each other, and there is a bench with a view on the way. If it rains, swap the two: the first one is indoors, the second one is not. Trains run twice ' +
  'an hour, and the last one back leaves at ten in the evening[^1]. Whoever stays for the night finds small houses on both sides of the river; those near the station ' +
  'are louder, those near the park are full by Friday, so ask for a room some weeks before you come[^2].'

/** One kilobyte: prose with citations, a JSON block, and the step marker. */
export const wholeAnswer = `${prose}\n\n\`\`\`json\n${JSON.stringify(plan, null, 1)}\n\`\`\`\n\n${marker}`

/** The same without JSON, because a value is only right once it is complete: this text is safe as it comes. */
export const flowingAnswer = `${prose}\n\n${marker}`

/** Words enough that the events count and not the connection. */
export const longAnswer = `${Array.from({ length: 12 }, () => prose).join('\n\n')}\n\n${marker}`

/** Cites what does not exist, and has no marker. */
export const wrongAnswer = 'It is the third largest town of its country[^9], and nobody knows why that is so.'

/** Right by the schema; the value holds others. */
export const nestedAnswer = JSON.stringify(plan)

/** Cuts a text into pieces of one word each. */
export function words(text) {
  return text.match(/\s*\S+\s*?/g)
}
