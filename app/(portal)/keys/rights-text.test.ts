import { expect, test } from 'vitest'
import { PRESETS, type Scope } from '@/lib/auth/scopes'
import { rightsText } from './rights-text'

test.each<[string | null, string | null, readonly Scope[], string]>([
  ['integration', null, PRESETS.integration.scopes, 'Read only'],
  [
    'agent',
    null,
    [...PRESETS.agent.scopes, 'write:notes', 'write:data'],
    'Assistant: reads everything, writes notes, files',
  ],
  ['lead-url', 'angi', ['write:leads'], 'Secret URL for angi'],
  ['lead-source', null, ['write:leads', 'write:webhooks'], 'Lead source: writes webhooks'],
  [null, null, ['read:customers'], 'Custom: 1 scope'],
])('the permissions of %s for %s', (preset, leadSource, scopes, text) => {
  expect(rightsText({ preset, leadSource, scopes: [...scopes] })).toBe(text)
})
