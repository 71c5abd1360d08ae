/** A key and a self-signed certificate for `hook.example.com` and `hooks.slack.com`, valid from 2020 to 2120. Tests alone trust it. */
export const TEST_CERTIFICATE = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgmGQs31MebvLVB1cP
WUMMAE6V3WQ/yqpQ27Avgj/sEo2hRANCAAR8iaVNenslR9kcnXv4eec2h6pYEkWh
mbkCH+LgslTAfzODkucB0UeHtnuQU8siRRr76QCO+P7XueMODGjVFWPU
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBUjCB+aADAgECAgEBMAoGCCqGSM49BAMCMA8xDTALBgNVBAMTBGhvb2swIBcN
MjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMA8xDTALBgNVBAMTBGhvb2sw
WTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAR8iaVNenslR9kcnXv4eec2h6pYEkWh
mbkCH+LgslTAfzODkucB0UeHtnuQU8siRRr76QCO+P7XueMODGjVFWPUo0QwQjAS
BgNVHRMBAf8ECDAGAQH/AgEAMCwGA1UdEQQlMCOCEGhvb2suZXhhbXBsZS5jb22C
D2hvb2tzLnNsYWNrLmNvbTAKBggqhkjOPQQDAgNIADBFAiBl9n0U/ftD2mHmAVzu
KHtE9BfWPbU3ql/4ikYccdozgwIhANj5wBYw7zzh0gnfsElp9lr097f+fmotgKoS
9e5exArx
-----END CERTIFICATE-----`,
}
