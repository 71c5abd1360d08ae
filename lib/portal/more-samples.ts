import { KEY_VARIABLE } from './curl'
import type { SampleRequest } from './request-samples'

/** Quotes a text with single quotes for PHP and Ruby, which expand no variables in them. */
const single = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`
/** Quotes a text with double quotes for Go and C#, whose escapes are those of JSON. */
const double = (text: string) => JSON.stringify(text)

/** Returns a request as a Go program that uses the standard library. */
export function inGo({ url, method, isSigned, headers, body }: SampleRequest): string {
  const packages = ['fmt', 'io', 'net/http', ...(isSigned ? ['os'] : []), ...(body ? ['strings'] : [])]
  const set = [
    ...(isSigned ? [`\trequest.Header.Set("x-api-key", os.Getenv("${KEY_VARIABLE}"))`] : []),
    ...headers.map(([name, value]) => `\trequest.Header.Set(${double(name)}, ${double(value)})`),
  ]
  return [
    'package main',
    '',
    'import (',
    ...packages.map((name) => `\t"${name}"`),
    ')',
    '',
    'func main() {',
    `\trequest, err := http.NewRequest("${method}", ${double(url)}, ${body ? `strings.NewReader(${double(body)})` : 'nil'})`,
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    ...set,
    '\tresponse, err := http.DefaultClient.Do(request)',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '\tdefer response.Body.Close()',
    '\tanswer, err := io.ReadAll(response.Body)',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '\tfmt.Println(response.StatusCode, string(answer))',
    '}',
  ].join('\n')
}

/** Returns a request as PHP that uses the curl extension. */
export function inPhp({ url, method, isSigned, headers, body }: SampleRequest): string {
  const lines = [
    ...(isSigned ? [`        'x-api-key: ' . getenv('${KEY_VARIABLE}'),`] : []),
    ...headers.map(([name, value]) => `        ${single(`${name}: ${value}`)},`),
  ]
  return [
    '<?php',
    `$request = curl_init(${single(url)});`,
    'curl_setopt_array($request, [',
    `    CURLOPT_CUSTOMREQUEST => '${method}',`,
    ...(lines.length > 0 ? ['    CURLOPT_HTTPHEADER => [', ...lines, '    ],'] : []),
    ...(body ? [`    CURLOPT_POSTFIELDS => ${single(body)},`] : []),
    '    CURLOPT_RETURNTRANSFER => true,',
    ']);',
    '$answer = curl_exec($request);',
    "echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), ' ', $answer, PHP_EOL;",
  ].join('\n')
}

/** Returns a request as Ruby that uses the standard library. */
export function inRuby({ url, method, isSigned, headers, body }: SampleRequest): string {
  const verb = method.charAt(0) + method.slice(1).toLowerCase()
  return [
    "require 'net/http'",
    '',
    `uri = URI(${single(url)})`,
    `request = Net::HTTP::${verb}.new(uri)`,
    ...(isSigned ? [`request['x-api-key'] = ENV.fetch('${KEY_VARIABLE}')`] : []),
    ...headers.map(([name, value]) => `request[${single(name)}] = ${single(value)}`),
    ...(body ? [`request.body = ${single(body)}`] : []),
    "response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https') do |http|",
    '  http.request(request)',
    'end',
    'puts response.code, response.body',
  ].join('\n')
}

const isContentType = ([name]: readonly [string, string]) => name.toLowerCase() === 'content-type'

/** Returns a request as a C# program for .NET. */
export function inCsharp({ url, method, isSigned, headers, body }: SampleRequest): string {
  const type = headers.find(isContentType)?.[1] ?? 'application/json'
  return [
    ...(body ? ['using System.Text;', ''] : []),
    'using var client = new HttpClient();',
    `using var request = new HttpRequestMessage(HttpMethod.${method.charAt(0)}${method.slice(1).toLowerCase()}, ${double(url)});`,
    ...(isSigned ? [`request.Headers.Add("x-api-key", Environment.GetEnvironmentVariable("${KEY_VARIABLE}"));`] : []),
    ...headers
      .filter((header) => !isContentType(header))
      .map(([name, value]) => `request.Headers.Add(${double(name)}, ${double(value)});`),
    ...(body ? [`request.Content = new StringContent(${double(body)}, Encoding.UTF8, ${double(type)});`] : []),
    'using var response = await client.SendAsync(request);',
    'Console.WriteLine((int)response.StatusCode + " " + await response.Content.ReadAsStringAsync());',
  ].join('\n')
}
