import { makeRuntime } from '@/lib/runtime/runtime'

makeRuntime('tests')
