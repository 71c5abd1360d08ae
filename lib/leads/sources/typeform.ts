import { type Answer, answersIn } from './answers'
import { type JsonObject, type LeadSource, textOf, valueAt } from './define'
import { formSource } from './form'

const listOf = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.map((item): JsonObject => ({ ...Object(item) })) : []

/** The questions of a form by their ids, those of groups included. */
function titlesOf(fields: unknown, into = new Map<string, string>()): Map<string, string> {
  for (const field of listOf(fields)) {
    const [id, title] = [textOf(field.id), textOf(field.title)]
    if (id !== undefined && title !== undefined) into.set(id, title)
    titlesOf(valueAt(field, 'properties.fields'), into)
  }
  return into
}

/** An answer's text: it stands under the name of its type. */
function texts(answer: JsonObject): string[] {
  const { choice, choices } = answer
  const several = listOf([choice, choices]).flatMap(({ label, labels, other }) =>
    [label, ...(Array.isArray(labels) ? labels : []), other].map(textOf),
  )
  const single = [textOf(answer[textOf(answer.type) ?? '']), textOf(answer.file_url)]
  return [...new Set([...single, ...several])].filter((text) => text !== undefined)
}

function answersOf(body: JsonObject): Answer[] {
  const titles = titlesOf(valueAt(body, 'form_response.definition.fields'))
  const given = listOf(valueAt(body, 'form_response.answers')).flatMap((answer, i) => {
    const [id, ref] = [textOf(valueAt(answer, 'field.id')), textOf(valueAt(answer, 'field.ref'))]
    const label = titles.get(id ?? '') ?? ref ?? textOf(answer.type) ?? ''
    const path = `form_response.answers.${i}`
    const isTyped = answer.type === 'email' || answer.type === 'phone_number'
    return texts(answer).map((text) => ({
      path,
      label: isTyped && /^[\w-]{36}$/.test(label) ? String(answer.type) : label,
      text,
    }))
  })
  return [...given, ...answersIn({ hidden: valueAt(body, 'form_response.hidden') })]
}

/** The source Typeform (typeform.com/developers/webhooks): answers in an array, their questions in the form's definition. */
export const typeform: LeadSource = {
  ...formSource({
    name: 'typeform',
    title: 'Typeform',
    recognizes: (body) => 'form_response' in body,
    leadSource: 'Website form (Typeform)',
    paths: { externalId: ['form_response.token', 'event_id'] },
    answers: answersOf,
  }),
  // typeform.com/developers/webhooks/secure-your-webhooks
  signature: { header: 'typeform-signature', encoding: 'base64' },
}
