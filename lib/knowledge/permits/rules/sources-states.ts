/** A page and where it is. */
export type Source = { title: string; link: string }

/** Sources of the rules of states: statutes, regulations, and pages of places that republish or apply the state's code. */
export const STATE_SOURCES = {
  ors455310: {
    title: 'Oregon Revised Statutes 455.310, repair and maintenance of single-family residences',
    link: 'https://oregon.public.law/statutes/ors_455.310',
  },
  laneCounty: {
    title: 'Lane County, Oregon, section R105 of the 2017 Oregon Residential Specialty Code as adopted',
    link: 'https://lanecounty.org/cms/One.aspx?pageId=20716598&portalId=3585881',
  },
  lakeOswego: {
    title: 'Lake Oswego, Oregon, Residential Permit Exemptions, examples of ORSC R105.2',
    link: 'https://www.ci.oswego.or.us/building/residential-permit-exemptions-examples',
  },
  silverton: {
    title: 'Silverton, Oregon, What structural work can I do without a permit?',
    link: 'https://www.silverton.or.us/FAQ.aspx?QID=134',
  },
  portlandPlumbingCode: {
    title: 'Portland, Oregon, City Code 25.05.010, plumbing permits required (as amended December 4, 2015)',
    link: 'https://www.portland.gov/code/25/05',
  },
  rocklin: {
    title: 'Rocklin, California, Do I Need a Permit? (exceptions of the state code)',
    link: 'https://rocklin.ca.us/do-i-need-permit',
  },
  sanMateo: {
    title: 'San Mateo, California, What is exempt from a permit?',
    link: 'https://cityofsanmateo.org/FAQ.aspx?QID=86',
  },
  chinoHills: {
    title: 'Chino Hills, California, What is exempt from permits? (fences up to 6 ft)',
    link: 'https://www.chinohills.org/FAQ.aspx?QID=197',
  },
  orangeCountyFl: {
    title: 'Orange County, Florida, Division of Building Safety: Florida Building Code 105.1 and what needs no permit',
    link: 'http://ocfl.net/building',
  },
  nycrr1203: {
    title: 'New York, 19 NYCRR 1203.3(a)(1), building permits and the work that may be excluded',
    link: 'https://govt.westlaw.com/nycrr/Document/I89d45c75c22411ddb9e5b2e06f1b2e15',
  },
  nyLocalLaw: {
    title: 'New York, a local law after 19 NYCRR 1203.3 (General Code): exempt categories in full',
    link: 'https://ecode360.com/6718348',
  },
  nycrr1202: {
    title: 'New York, 19 NYCRR 1202.3(b), permits where the state enforces (as of November 2, 2024)',
    link: 'https://casetext.com/regulation/new-york-codes-rules-and-regulations/title-19-department-of-state/chapter-xxxii-division-of-code-enforcement-and-administration/part-1202-uniform-code-and-energy-code-administration-and-enforcement-by-the-state-in-certain-local-governments/section-12023-building-permits',
  },
  whatcom: {
    title: 'Whatcom County, Washington, Exemptions from Permit (IRC 105.2)',
    link: 'https://www.whatcomcounty.us/525/Exemptions-from-Permit',
  },
  battleGround: {
    title: 'Battle Ground, Washington, When is a permit required?',
    link: 'https://www.cityofbg.org/FAQ.aspx?QID=275',
  },
  washingtonElectrical: {
    title:
      'Building Industry Association of Washington, electrical work without a permit (WAC 296-46B; October 2, 2023)',
    link: 'https://www.biaw.com/remodelers-dont-get-fined-for-violating-these-easily-misconceived-electrical-rules/',
  },
  washingtonEdition: {
    title: 'Washington, WSR 22-17-148, chapter 51-51 WAC: adoption of the 2021 International Residential Code',
    link: 'https://lawfilesext.leg.wa.gov/law/wsr/2022/17/22-17-148.htm',
  },
  tennesseeFaq: {
    title: 'Tennessee State Fire Marshal’s Office, Residential Permit FAQs',
    link: 'https://www.tn.gov/content/tn/commerce/fire/residential-permits/fire-residential-faqs.html',
  },
  texas214212: {
    title:
      'Texas Local Government Code 214.212, International Residential Code in municipalities (as of January 1, 2024)',
    link: 'https://codes.findlaw.com/tx/local-government-code/loc-gov-t-sect-214-212/',
  },
  borger: {
    title: 'Borger, Texas, When are Permits Required?',
    link: 'https://borgertx.gov/359/When-are-Permits-Required',
  },
  coloradoElectrical: {
    title: 'Colorado Revised Statutes 12-115-120, electrical permits (after the election of November 5, 2024)',
    link: 'https://d1tvxue8o4w0fl.cloudfront.net/statute/colorado-revised-statutes/title-12-professions-and-occupations/business-professions-and-occupations/article-115-electricians/section-12-115-120-inspection-electrical-permits-application-standard-definition',
  },
  coloradoPlumbing: {
    title: 'Colorado Revised Statutes 12-155-120, permits for plumbing and gas piping',
    link: 'https://colorado.public.law/statutes/crs_12-155-120',
  },
  canonCity: {
    title: 'Cañon City, Colorado, Building Division questions: fences and sheds over 120 ft2 need a permit',
    link: 'http://www.canoncity.org/departments/departments/community_development/building_f_a_qs.php',
  },
  elbertCounty: {
    title: 'Elbert County, Colorado, What projects are exempt from permits?',
    link: 'https://elbertcounty-co.gov/573/Frequently-Asked-Questions',
  },
} satisfies Record<string, Source>
