import { beginEntry } from '@/lib/core/entry'

beginEntry('tests')
