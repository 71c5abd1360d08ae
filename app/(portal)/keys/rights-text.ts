import { isPreset, PRESETS, SINGLE_SCOPES } from '@/lib/auth/scopes'
import type { Key } from './arrange'

/** What each scope of its own lets a key write, in a word. */
const WRITES: Record<(typeof SINGLE_SCOPES)[number], string> = {
  'write:notes': 'notes',
  'write:tasks': 'follow-ups',
  'write:webhooks': 'webhooks',
  'write:data': 'files',
}

const READS_ALL = ['integration', 'agent']

/** Returns a key's permissions as a sentence: "Assistant: reads everything, writes notes, follow-ups". */
export function rightsText({ preset, leadSource, scopes }: Pick<Key, 'preset' | 'leadSource' | 'scopes'>): string {
  const title = preset && isPreset(preset) ? PRESETS[preset].title : 'Custom'
  const named = leadSource === null ? title : `${title} for ${leadSource}`
  if (!preset) return `${named}: ${scopes.length === 1 ? '1 scope' : `${scopes.length} scopes`}`
  const writes = SINGLE_SCOPES.filter((scope) => scopes.includes(scope)).map((scope) => WRITES[scope])
  if (writes.length === 0) return named
  return `${named}: ${READS_ALL.includes(preset) ? 'reads everything, ' : ''}writes ${writes.join(', ')}`
}
