// What an image says of the system that it is built on: /etc/os-release.

const DEBIAN: Readonly<Record<string, string>> = {
  '10': 'buster',
  '11': 'bullseye',
  '12': 'bookworm',
  '13': 'trixie',
  '14': 'forky',
};
const UBUNTU: Readonly<Record<string, string>> = {
  '14.04': 'Trusty Tahr',
  '16.04': 'Xenial Xerus',
  '18.04': 'Bionic Beaver',
  '20.04': 'Focal Fossa',
  '22.04': 'Jammy Jellyfish',
  '24.04': 'Noble Numbat',
  '25.10': 'Questing Quokka',
};

const files = (text: string) => ({'/etc/os-release': text});

/** Of a Debian release. */
export function debianRelease(version: string): Readonly<Record<string, string>> {
  const codename = DEBIAN[version] ?? 'trixie';
  return files(
    `PRETTY_NAME="Debian GNU/Linux ${version} (${codename})"\nNAME="Debian GNU/Linux"\nVERSION_ID="${version}"\nVERSION="${version} (${codename})"\nVERSION_CODENAME=${codename}\nID=debian\n`,
  );
}

/** Of an Ubuntu release. */
export function ubuntuRelease(version: string): Readonly<Record<string, string>> {
  const name = UBUNTU[version] ?? '';
  const codename = (name.split(' ')[0] ?? '').toLowerCase();
  return files(
    `PRETTY_NAME="Ubuntu ${version} LTS"\nNAME="Ubuntu"\nVERSION_ID="${version}"\nVERSION="${version} LTS (${name})"\nVERSION_CODENAME=${codename}\nID=ubuntu\nID_LIKE=debian\n`,
  );
}

/** Of an Alpine release. */
export function alpineRelease(version: string): Readonly<Record<string, string>> {
  const series = version.split('.').slice(0, 2).join('.');
  return {
    ...files(
      `NAME="Alpine Linux"\nID=alpine\nVERSION_ID=${version}\nPRETTY_NAME="Alpine Linux v${series}"\nHOME_URL="https://alpinelinux.org/"\n`,
    ),
    '/etc/alpine-release': `${version}\n`,
  };
}
