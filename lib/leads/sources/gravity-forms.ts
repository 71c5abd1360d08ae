import { parseEmail, parsePhone, parseState, parseZip } from '@/lib/core/contact'
import { type Answer, answersIn } from './answers'
import { type JsonObject, type LeadSource, textOf } from './define'
import { formSource } from './form'

const INPUT = /^(\d{1,5})(?:\.(\d{1,3}))?$/

/** The inputs of the fields for a name and an address, by their number after the dot. */
const NAME: Record<string, string> = { 2: 'prefix', 3: 'first', 4: 'middle', 6: 'last', 8: 'suffix' }
const ADDRESS: Record<string, string> = { 1: 'street', 2: 'address2', 3: 'city', 4: 'state', 5: 'zip', 6: 'country' }

/** Returns what a field is that has a number and no name: an email address and a phone number show it themselves. */
function labelOf(number: string, text: string): string {
  if (parseEmail(text)) return 'email'
  return /^[+(]?\d[\d\s().-]{6,}/.test(text) && parsePhone(text) ? 'phone' : `Field ${number}`
}

function inputsOf(number: string, inputs: Map<string, string>): Answer[] {
  const at = (input: string) => inputs.get(input) ?? ''
  const names =
    parseZip(at('5')) || parseState(at('4')) ? ADDRESS : inputs.has('3') && inputs.has('6') ? NAME : undefined
  return [...inputs].map(([input, text]) => ({
    path: input === '' ? number : `${number}_${input}`,
    label: names?.[input] ?? labelOf(number, text),
    text,
  }))
}

function answersOf(body: JsonObject): Answer[] {
  const numbered = new Map<string, Map<string, string>>()
  const named: JsonObject = {}
  for (const [name, value] of Object.entries(body)) {
    const [, number, input = ''] = INPUT.exec(name) ?? []
    const text = textOf(value)
    if (number === undefined) named[name] = value
    else if (text !== undefined) numbered.set(number, (numbered.get(number) ?? new Map()).set(input, text))
  }
  return [...[...numbered].flatMap(([number, inputs]) => inputsOf(number, inputs)), ...answersIn(named, SKIP)]
}

const SKIP = [
  'currency',
  'payment_status',
  'payment_amount',
  'payment_method',
  'created_by',
  'source_url',
  'transaction_type',
]

/** The source Gravity Forms: an entry, whose fields have numbers, or the fields that its webhook add-on was told to send. */
export const gravityForms: LeadSource = formSource({
  name: 'gravity-forms',
  title: 'Gravity Forms',
  recognizes: (body) => 'form_id' in body && Object.keys(body).some((name) => INPUT.test(name)),
  leadSource: 'Website form (Gravity Forms)',
  paths: { externalId: ['id', 'entry_id'] },
  answers: answersOf,
})
