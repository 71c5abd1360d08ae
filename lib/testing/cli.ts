// The command line from source: `node --import tsx lib/testing/cli.ts <command>`.
import { main } from '@/lib/cli/main'

await main()
