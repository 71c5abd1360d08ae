import { all, atMost, isNot, moreThan } from '../conditions'
import { rulesFor, type State } from '../define'

const texas = rulesFor('tx', 'confirmed_in_source')
const tennessee = rulesFor('tn', 'confirmed_in_source')
const colorado = rulesFor('co', 'confirmed_in_source')

const ASK = { determination: 'ask_jurisdiction' } as const
const REQUIRED = { determination: 'likely_required' } as const
const BORGER = { source: 'borger', section: 'When are Permits Required' } as const
const SFMO = { source: 'tennesseeFaq', section: 'Residential Permit FAQs' } as const

/** Texas: the state adopts the IRC for municipalities, which amend it; outside of them there is no such code. */
export const TEXAS: State = {
  id: 'us-tx',
  name: 'Texas',
  state: 'TX',
  binds: false,
  except: [],
  edition: 'IRC as it existed on May 1, 2012, in municipalities (Local Government Code 214.212); cities amend it',
  editionSource: 'texas214212',
  office: 'the building department of the city; outside of cities the county',
  notes: ['Section 214.212 applies to municipalities. What a county asks for outside of them was not confirmed.'],
  rules: [
    ...texas('accessory_structure', [
      {
        ...ASK,
        ...BORGER,
        id: 'small',
        when: all(isNot('attached'), atMost('areaSqFt', 200)),
        because:
          'Texas cities differ: the model code exempts up to 200 ft2, Borger asks a permit for any storage building or gazebo.',
      },
    ]),
    ...texas('fence', [
      {
        ...ASK,
        ...BORGER,
        id: 'low',
        when: atMost('heightFt', 7),
        because: 'Texas cities differ: the model code exempts up to 7 ft, Borger asks a permit for any fence.',
      },
    ]),
    ...texas('flatwork', [
      {
        ...ASK,
        ...BORGER,
        id: 'any',
        because: 'Texas cities differ: the model code exempts driveways, Borger asks a permit for them.',
      },
    ]),
    ...texas('reroof', [
      {
        ...ASK,
        ...BORGER,
        id: 'whole',
        when: isNot('repairOnly'),
        because:
          'Borger asks a permit for roofing; the model code does not name it, and other Texas cities were not read.',
      },
    ]),
  ],
}

/** The rules of Tennessee: the state issues permits only where no city or county does, and then only for new houses and larger additions. */
export const TENNESSEE: State = {
  id: 'us-tn',
  name: 'Tennessee',
  state: 'TN',
  binds: false,
  except: [],
  edition: '2018 IRC, where the State Fire Marshal’s Office enforces it',
  editionSource: 'tennesseeFaq',
  office: 'the city or county where it has a code; otherwise the State Fire Marshal’s Office',
  notes: [
    'Places with a program of their own, mostly the populous ones, have their own rules; some counties have none at all.',
  ],
  rules: [
    ...tennessee('new_dwelling', [
      { ...REQUIRED, ...SFMO, id: 'any', because: 'The state’s program covers new one- and two-family houses.' },
    ]),
    ...tennessee('addition', [
      {
        ...REQUIRED,
        ...SFMO,
        id: 'large',
        when: moreThan('areaSqFt', 30),
        because: 'The state’s program covers additions of more than 30 ft2.',
      },
      {
        ...ASK,
        ...SFMO,
        id: 'small',
        because:
          'The state’s program leaves out additions of up to 30 ft2; a city or county with a program of its own may not.',
      },
    ]),
    ...tennessee('accessory_structure', [
      {
        ...ASK,
        id: 'detached',
        when: isNot('attached'),
        because:
          'Places differ: the state’s program covers houses and additions alone, Knoxville exempts up to 120 ft2, Springfield up to 200 ft2, Nashville none.',
        section: 'Frequently asked questions: 120 ft2 or 200 ft2',
        source: 'shedsDiffer',
      },
    ]),
    ...tennessee('interior_remodel', [
      {
        ...ASK,
        ...SFMO,
        id: 'any',
        because: 'The state’s program does not cover renovations; cities and counties with their own programs do.',
      },
    ]),
  ],
}

/** The rules of Colorado: no building code for the whole state; wiring, plumbing and gas take a permit of the state where no place inspects. */
export const COLORADO: State = {
  id: 'us-co',
  name: 'Colorado',
  state: 'CO',
  binds: false,
  except: [],
  edition: 'no statewide building code; C.R.S. 12-115-120 (wiring) and 12-155-120 (plumbing and gas)',
  editionSource: 'coloradoElectrical',
  office: 'the building department of the city or county; for wiring and plumbing otherwise the state boards',
  notes: ['Cities and counties adopt codes of their own. Where one inspects no wiring or plumbing, the state does.'],
  rules: [
    ...colorado('accessory_structure', [
      {
        ...ASK,
        id: 'differs',
        when: all(isNot('attached'), moreThan('areaSqFt', 120), atMost('areaSqFt', 200)),
        because:
          'Colorado places differ: Elbert County exempts up to 200 ft2 without utilities, Cañon City up to 120 ft2.',
        section: 'What projects are exempt: 120 ft2 or 200 ft2',
        source: 'elbertCounty',
      },
    ]),
    ...colorado('fence', [
      {
        ...ASK,
        id: 'low',
        when: atMost('heightFt', 7),
        because:
          'Colorado places differ: Elbert County exempts up to 7 ft, Cañon City asks a permit for a new or replaced fence.',
        section: 'What requires a permit: any height or 7 ft',
        source: 'canonCity',
      },
    ]),
    ...colorado('gas_line', [
      {
        ...REQUIRED,
        id: 'piping',
        when: isNot('minorPartOnly'),
        because: 'A gas piping installation takes a permit of the place, or of the state where the place issues none.',
        section: 'C.R.S. 12-155-120(1)',
        source: 'coloradoPlumbing',
      },
    ]),
    ...colorado('repipe', [
      {
        ...REQUIRED,
        id: 'any',
        because:
          'A plumbing installation, repair included, takes a permit of the place, or of the state where the place issues none.',
        section: 'C.R.S. 12-155-120(1)',
        source: 'coloradoPlumbing',
      },
    ]),
    ...colorado('electrical_service', [
      {
        ...REQUIRED,
        id: 'panel',
        when: isNot('overcurrentDeviceOnly'),
        because:
          'Electrical work takes a permit of the building department, or of the state board where there is none.',
        section: 'C.R.S. 12-115-120(1)',
        source: 'coloradoElectrical',
      },
    ]),
  ],
}
